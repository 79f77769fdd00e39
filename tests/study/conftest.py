"""The small studies, in folders of their own."""

from __future__ import annotations

import pytest

from fselect.study.config import parse_config
from fselect.study.project import Project
from tests.studies import SINGLE, TRANSFER


@pytest.fixture
def transfer_project(tmp_path):
    return Project(tmp_path, parse_config(TRANSFER))


@pytest.fixture
def single_project(tmp_path):
    return Project(tmp_path, parse_config(SINGLE))
