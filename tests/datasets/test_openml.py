"""OpenML is asked through scikit-learn; a server on this machine answers in its stead."""

import gzip
import hashlib
import http.client
import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from scipy.sparse import issparse

from fselect.datasets import load_dataset, read_table
from fselect.errors import InputError

DENSE = b"""@relation toy
@attribute a real
@attribute s {p,q}
@attribute class {x,y}
@data
1,p,x
2,q,y
3,p,x
?,q,y
5,q,y
7,p,x
"""
SPARSE = b"""@relation words
@attribute w0 real
@attribute w1 real
@attribute w2 real
@attribute class {no,yes}
@data
{1 2.5, 3 yes}
{0 1}
{0 3, 2 4, 3 yes}
{2 7}
"""


def described(number, data, **more):
    return {
        "id": str(number),
        "name": "toy",
        "description": "made up",
        "version": "1",
        "format": "ARFF",
        "status": "active",
        "file_id": str(number),
        "url": f"https://api.openml.org/data/v1/download/{number}/toy.arff",
        "default_target_attribute": "class",
        "md5_checksum": hashlib.md5(data).hexdigest(),
    } | more


def features(kinds):
    facts = {"is_ignore": "false", "is_row_identifier": "false", "number_of_missing_values": "0"}
    named = enumerate(kinds.items())
    return [
        facts | {"index": str(i), "name": name, "data_type": kind, "is_target": "true" if name == "class" else "false"}
        for i, (name, kind) in named
    ]


COLOURS = SPARSE.replace(b"w1 real", b"w1 {red,green,blue}").replace(b"1 2.5", b"1 blue")
FILES = {"77": DENSE, "78": SPARSE, "80": COLOURS}
DESCRIPTIONS = {
    "77": described(77, DENSE),
    "78": described(78, SPARSE, format="Sparse_ARFF"),
    "80": described(80, COLOURS, format="Sparse_ARFF"),
}
FEATURES = {
    "77": features({"a": "numeric", "s": "nominal", "class": "nominal"}),
    "78": features({"w0": "numeric", "w1": "numeric", "w2": "numeric", "class": "nominal"}),
    "80": features({"w0": "numeric", "w1": "nominal", "w2": "numeric", "class": "nominal"}),
}


class Answers(BaseHTTPRequestHandler):
    """What openml.org says of two datasets."""

    def do_GET(self):
        number = next((word for word in self.path.split("/") if word in FILES), None)
        if number is None:
            self.send_error(404)
            return
        body = gzip.compress(self.answer(number))
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer(self, number):
        if "download" in self.path:
            return FILES[number]
        if "features" in self.path:
            return json.dumps({"data_features": {"feature": FEATURES[number]}}).encode()
        if "qualities" in self.path:
            rows = {"name": "NumberOfInstances", "value": str(FILES[number].count(b"\n") - 5)}
            return json.dumps({"data_qualities": {"quality": [rows]}}).encode()
        return json.dumps({"data_set_description": DESCRIPTIONS[number]}).encode()

    def log_message(self, *_):
        pass


class Diverted(urllib.request.HTTPSHandler):
    """Brings what is meant for https to a port of this machine."""

    def __init__(self, port):
        super().__init__()
        self.port = port

    def https_open(self, request):
        def connect(host, timeout, **_):
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

        return self.do_open(connect, request)


@pytest.fixture
def server(monkeypatch, tmp_path):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    running = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    urllib.request.install_opener(urllib.request.build_opener(Diverted(running.server_address[1])))
    yield running
    urllib.request.install_opener(None)
    close(running)


def close(running):
    running.shutdown()
    running.server_close()


def test_a_dataset_comes_with_its_own_target_and_without_incomplete_rows(server):
    data = load_dataset("openml:77")
    assert data.name == "openml-77"
    assert data.X.tolist() == [[1, 0], [2, 1], [3, 0], [5, 1], [7, 0]]
    assert data.y.tolist() == ["x", "y", "x", "y", "x"]
    assert data.kinds == ("numeric", "nominal")
    assert data.recipe["rows_dropped"] == 1


def test_what_was_fetched_once_is_there_without_a_network(server):
    first = load_dataset("openml:77")
    close(server)
    assert load_dataset("openml:77").content_hash == first.content_hash
    assert read_table("openml:77").content_hash == first.content_hash


def test_without_a_network_the_sentence_says_so(server):
    close(server)
    with pytest.raises(InputError, match=r"openml.org cannot be reached for openml:77 \(.*refused.*\); connect"):
        load_dataset("openml:77")


def test_what_is_kept_sparse_there_stays_sparse(server):
    data = load_dataset("openml:78")
    assert issparse(data.X)
    assert data.X.toarray().tolist() == [[0, 2.5, 0], [1, 0, 0], [3, 0, 4], [0, 0, 7]]
    assert data.y.tolist() == ["yes", "no", "yes", "no"]
    assert data.names == ("w0", "w1", "w2")
    assert (np.asarray(data.codes) == [1, 0, 1, 0]).all()


def test_a_class_that_a_sparse_row_does_not_write_is_the_first_one(server, monkeypatch):
    monkeypatch.setattr(np, "empty", lambda shape, dtype=float, **_: np.ones(shape, dtype))
    assert load_dataset("openml:78").y.tolist() == ["yes", "no", "yes", "no"]


def test_a_sparse_column_of_more_than_two_words_is_refused_by_name(server):
    with pytest.raises(InputError, match="openml:80: column 'w1' is nominal with 3 values"):
        load_dataset("openml:80")


def test_a_number_that_is_not_there_is_named(server):
    with pytest.raises(InputError, match=r"openml.org refused openml:79 \(HTTP 404\); check the number"):
        load_dataset("openml:79")


@pytest.mark.parametrize("word", ["openml:", "openml:colon", "openml:-3", "openml:1.5"])
def test_openml_needs_a_number(word):
    with pytest.raises(InputError, match="needs a dataset's number"):
        load_dataset(word)
