"""A disk that fills while results are written: one sentence, and with more room the same study goes on."""

from __future__ import annotations

import os
import random
import resource
import subprocess

import pytest

from fselect.tracking import list_runs
from tests.faults.studies import COMMAND, go_on, put_study, results, run_study, sentence

POINTS = [f"transfer strength {strength}" for strength in (0, 1, 4)]

# The whole study takes about 900 kB of a disk.
SIZES = [400, *(pytest.param(random.Random(seed).randint(24, 700), marks=pytest.mark.slow) for seed in range(20))]


class SmallDisk:
    """A file system in memory whose size is set."""

    def __init__(self, place):
        self.place = place
        self.mounted = False

    def resize(self, kilobytes):
        options = f"{'remount,' if self.mounted else ''}size={kilobytes}k"
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.place)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
        self.mounted = True

    def remove(self):
        if self.mounted:
            subprocess.run(["umount", "--lazy", str(self.place)], check=True)


@pytest.fixture
def disk(tmp_path):
    (tmp_path / "disk").mkdir()
    disk = SmallDisk(tmp_path / "disk")
    yield disk
    disk.remove()


@pytest.mark.parametrize("kilobytes", SIZES)
def test_a_full_disk_ends_in_a_sentence_and_more_room_in_the_same_bytes(disk, calm, kilobytes):
    disk.resize(kilobytes)
    project = put_study(disk.place)
    assert "No space left on device" in sentence(run_study(project.root))
    assert list(disk.place.rglob(".*.??????*")) == []  # no half-written file stays in the way
    disk.resize(100_000)
    assert go_on(project) == calm


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", [1200, 1500, 1900, 2300])
def test_a_disk_that_fills_while_runs_are_tracked_loses_none(disk, calm, kilobytes):
    disk.resize(kilobytes)
    project = put_study(disk.place)
    first = run_study(project.root, track=True)
    assert first.returncode in (0, 2), first.stderr
    assert "Traceback" not in first.stderr
    disk.resize(100_000)
    again = run_study(project.root, track=True)
    assert again.returncode == 0, again.stderr
    assert results(project) == calm
    assert sorted(list_runs(project)["name"]) == ["transfer first set", "transfer front", *POINTS, "trivial front"]


@(pytest.mark.slow if os.geteuid() == 0 else lambda test: test)
def test_a_limit_on_the_size_of_a_file_is_told_like_a_full_disk(tmp_path, calm):
    """What a quota looks like where nothing can be mounted."""
    project = put_study(tmp_path)
    limit = 6_000  # less than the archive
    limited = subprocess.run(
        [*COMMAND, "--no-track"],
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        env=None,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "File too large" in sentence(limited)
    assert not project.archive_path.exists()
    assert go_on(project) == calm
