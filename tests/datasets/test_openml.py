"""OpenML is asked through scikit-learn; here canned answers stand in for the server."""

import gzip
import hashlib
import io
import json
import urllib.request
from email.message import Message
from urllib.error import URLError
from urllib.response import addinfourl

import pytest

from fselect.datasets import load_dataset, read_table
from fselect.errors import InputError

ARFF = "@relation toy\n@attribute a real\n@attribute s {p,q}\n@attribute class {x,y}\n@data\n"
ROWS = "1,p,x\n2,q,y\n3,p,x\n?,q,y\n5,q,y\n7,p,x\n"
FEATURES = [
    {"index": "0", "name": "a", "data_type": "numeric", "is_target": "false"},
    {"index": "1", "name": "s", "data_type": "nominal", "is_target": "false"},
    {"index": "2", "name": "class", "data_type": "nominal", "is_target": "true"},
]
for feature in FEATURES:
    feature.update(is_ignore="false", is_row_identifier="false", number_of_missing_values="0")
DESCRIPTION = {
    "id": "77",
    "name": "toy",
    "description": "made up",
    "version": "1",
    "format": "ARFF",
    "status": "active",
    "file_id": "5",
    "url": "https://api.openml.org/data/v1/download/5/toy.arff",
    "default_target_attribute": "class",
    "md5_checksum": "",
}


class CannedServer(urllib.request.HTTPSHandler):
    """Answers like openml.org, or not at all."""

    def __init__(self, online=True):
        super().__init__()
        self.online = online

    def https_open(self, request):
        if not self.online:
            raise URLError("no network")
        body = io.BytesIO(gzip.compress(self.answer(request.full_url)))
        response = addinfourl(body, headers(), request.full_url, 200)
        response.msg = "OK"
        return response

    @staticmethod
    def answer(url):
        if "features" in url:
            return json.dumps({"data_features": {"feature": FEATURES}}).encode()
        if "qualities" in url:
            return json.dumps({"data_qualities": {"quality": [{"name": "NumberOfInstances", "value": "6"}]}}).encode()
        if "download" in url:
            return (ARFF + ROWS).encode()
        return json.dumps({"data_set_description": DESCRIPTION}).encode()


def headers():
    message = Message()
    message["Content-Encoding"] = "gzip"
    return message


@pytest.fixture
def server(monkeypatch, tmp_path):
    monkeypatch.setitem(DESCRIPTION, "md5_checksum", hashlib.md5((ARFF + ROWS).encode()).hexdigest())
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    canned = CannedServer()
    urllib.request.install_opener(urllib.request.build_opener(canned))
    yield canned
    urllib.request.install_opener(None)


def test_a_dataset_comes_with_its_own_target_and_without_incomplete_rows(server):
    data = load_dataset("openml:77")
    assert data.name == "openml-77"
    assert data.X.tolist() == [[1, 0], [2, 1], [3, 0], [5, 1], [7, 0]]
    assert data.y.tolist() == ["x", "y", "x", "y", "x"]
    assert data.kinds == ("numeric", "nominal")
    assert data.recipe["rows_dropped"] == 1


def test_what_was_fetched_once_is_there_without_a_network(server):
    first = load_dataset("openml:77")
    server.online = False
    assert load_dataset("openml:77").content_hash == first.content_hash
    assert read_table("openml:77").content_hash == first.content_hash


def test_without_a_network_the_sentence_says_so(server):
    server.online = False
    with pytest.raises(InputError, match=r"openml.org cannot be reached for openml:77 \(no network\); connect"):
        load_dataset("openml:77")


@pytest.mark.parametrize("word", ["openml:", "openml:colon", "openml:-3", "openml:1.5"])
def test_openml_needs_a_number(word):
    with pytest.raises(InputError, match="needs a dataset's number"):
        load_dataset(word)
