"""The page is self-contained, harmless, honest, and the same each time."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from fselect.errors import InputError, MissingExtra
from fselect.reporting.page import render_page, write_page

from .conftest import HOSTILE, make_summary

NASTY = (HOSTILE, '"><img src=x onerror=alert(1)>', "</script><script>alert(2)</script>", "a & b", "' onload='x", "f")


class Document(HTMLParser):
    """Elements, their text, and the scripts of a page."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.elements, self.scripts, self.texts, self._open = [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs), []))

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        inside = self._open[-1] if self._open else ""
        if inside == "script":
            self.scripts[-1][1].append(data)
        elif inside != "style":
            self.texts.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.texts))

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module", autouse=True)
def short_library():
    """A stand-in for plotly.js, whose five megabytes are tested in the browser; parsing them here takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fselect.reporting.page._plotly_library", lambda: "var Plotly = {newPlot: function () {}};")
        yield


@pytest.fixture(scope="module")
def page(summary, facts):
    return render_page(summary, facts=facts)


def test_the_text_tells_the_choice_its_reason_the_features_and_all_points_without_scripts(summary, page):
    text = Document(page).text
    chosen = summary.points[summary.operating_point]
    assert summary.study in text
    assert f"{chosen.label} was chosen. {summary.reason}" in text
    for name in chosen.selected:
        assert re.search(rf"{name} {chosen.frequencies[name]:.0%}", text)
    for point in summary.points:
        assert point.label in text
        assert f"{point.accuracy:.3f} ± {point.accuracy_se:.3f}" in text
        assert f"{point.stability:.3f} ± {point.stability_se:.3f}" in text
    for front in summary.fronts:
        assert f"{front.area:.3f} {front.area_low:.3f} to {front.area_high:.3f}" in text
        assert f"{front.bootstrap_low:.3f} to {front.bootstrap_high:.3f}" in text
    for task in summary.tasks:
        assert task.data_hash in text


def test_negative_weights_carry_a_sign_and_undefined_scores_a_dash(summary, page):
    text = Document(page).text
    assert "+1.200" in text
    assert "−0.900" in text
    assert " – " in text  # the ROC AUC of the trivial strategy


def test_the_page_is_honest_about_its_numbers(summary, page):
    text = Document(page).text
    assert summary.notes[0] in text
    assert "estimates of the procedure" in text
    assert "not those of the one set" in text
    assert "one statement a point" in text


def test_the_page_tells_how_to_make_it_again(page):
    text = Document(page).text
    for part in (
        "git checkout 0123abcd",
        "not committed",
        "fselect run",
        "seed 7",
        "d" * 32,
        "feedbeef",
        "numpy 2.4.6",
    ):
        assert part in text
    assert "table: breast_cancer" in text


def test_the_page_does_without_facts_and_takes_other_commands():
    summary = make_summary("transfer", names="abcdef")
    assert "not in a repository" in Document(render_page(summary, facts={})).text
    text = Document(render_page(summary, facts={"commands": ["fselect select a.csv --target y"]})).text
    assert "fselect select a.csv --target y" in text
    assert "fselect run" not in text


def test_nothing_is_loaded_from_elsewhere(page):
    document = Document(page)
    for tag, attributes in document.elements:
        for name in ("src", "href", "action", "srcset", "data", "poster"):
            assert attributes.get(name, "data:").startswith("data:"), (tag, attributes)
    assert "@import" not in page[: page.index("</style>")]
    assert "url(" not in page[: page.index("</style>")]


def test_the_drawings_for_paper_are_valid_pictures_with_a_description(page):
    images = Document(page).of("img")
    assert len(images) == 2
    for image in images:
        assert image["alt"]
        content = base64.b64decode(image["src"].removeprefix("data:image/svg+xml;base64,"))
        assert ElementTree.fromstring(content).tag.endswith("svg")


def test_only_the_two_scripts_of_the_page_may_run(page):
    document = Document(page)
    policy = next(meta["content"] for meta in document.of("meta") if "content" in meta and "src" in meta["content"])
    running = ["".join(text) for attributes, text in document.scripts if "type" not in attributes]
    hashes = {base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in running}
    assert len(running) == 2
    assert set(re.findall(r"'sha256-([^']+)'", policy)) == hashes
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert "'unsafe-inline'" not in policy.split("script-src")[1]


def test_names_made_of_markup_are_shown_and_change_nothing_of_the_page(facts):
    plain = Document(render_page(make_summary("transfer", names=["a", "b", "c", "d", "e", "f"]), facts=facts))
    summary = make_summary("transfer", names=NASTY, study=f"</title>{HOSTILE}")
    facts = {**facts, "git_commit": HOSTILE, "config": {HOSTILE: HOSTILE}, "versions": {HOSTILE: HOSTILE}}
    document = Document(render_page(summary, facts=facts))
    # The same elements in the same order, with attributes of the same names.
    assert [(tag, set(a)) for tag, a in document.elements] == [(tag, set(a)) for tag, a in plain.elements]
    assert not any(name.startswith("on") for _, attributes in document.elements for name in attributes)
    for name in NASTY:
        assert re.sub(r"\s+", " ", name) in document.text
    for (attributes, text), (_, expected) in zip(document.scripts, plain.scripts, strict=True):
        if "type" in attributes:
            assert "<" not in "".join(text)
            json.loads("".join(text))
        else:
            assert text == expected


def test_a_front_of_trivial_strategies_that_dominates_more_is_told(facts):
    summary = make_summary("transfer", names="abcdef")
    assert summary.fronts[1].area > summary.fronts[0].area
    sentence = "The trivial front has the larger area"
    assert sentence in Document(render_page(summary, facts=facts)).text
    turned = replace(summary, fronts=summary.fronts[:1])
    assert sentence not in Document(render_page(turned, facts=facts)).text


def test_a_single_repeat_says_that_there_is_no_ellipse_and_no_interval(facts):
    text = Document(render_page(make_summary("single", repeats=1), facts=facts)).text
    assert "no ellipse: fewer than 3 repeats" in text
    assert "no interval" in text
    assert "no standard error: one repeat" in text
    assert not re.search(r"\bnan\b", text)


def test_the_same_study_gives_the_same_bytes(summary, facts, page):
    assert render_page(summary, facts=facts) == page


def test_the_page_is_written_whole_or_not_at_all(tmp_path, facts, monkeypatch):
    path = tmp_path / "reports" / "study.html"
    summary = make_summary("transfer", names="abcdef")
    assert write_page(summary, path, facts=facts) == path
    before = path.read_text(encoding="utf-8")
    assert before.endswith("</html>\n")
    assert [one.name for one in path.parent.iterdir()] == ["study.html"]
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        write_page(summary, tmp_path / "file" / "study.html", facts=facts)
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(MissingExtra, match="plotly"):
        write_page(summary, path, facts=facts)
    assert path.read_text(encoding="utf-8") == before


def test_a_study_that_selected_nothing_anywhere_still_has_a_page(facts):
    summary = make_summary("transfer")
    empty = replace(summary.heat, columns=(), values=summary.heat.values[:, :0])
    points = tuple(replace(point, selected=(), frequencies={}, weights={}) for point in summary.points)
    text = Document(render_page(replace(summary, heat=empty, points=points), facts=facts)).text
    assert "No feature was selected anywhere." in text
