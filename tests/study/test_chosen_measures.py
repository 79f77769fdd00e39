"""The measures of the operating point are means over its repeats."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from fselect.datasets.seeds import Stream, generator
from fselect.evaluation.stability import importance_weighted, jaccard
from fselect.stages import open_study, report, run_study
from fselect.study.archive import read_archive
from fselect.study.chosen_measures import chosen_measures


def test_they_are_means_over_the_repeats_and_the_page_shows_them(transfer_project):
    summary = run_study(transfer_project)
    study, archive = open_study(transfer_project), read_archive(transfer_project.archive_path)
    label = summary.chosen.label
    found = chosen_measures(label, study.tasks, study.units, archive)
    assert found["stability"] == pytest.approx(summary.chosen.stability)
    assert found["stability"] == pytest.approx(found["kuncheva"])  # all sets are of one size
    frame = archive.to_pandas()
    keys = [unit.key for unit in study.units if unit.label == label and unit.repeat is not None]
    names = study.tasks[0].names
    by_hand = [
        jaccard([[name in chosen for name in names] for chosen in frame[frame["unit"] == key]["selected"]])
        for key in keys
    ]
    assert found["jaccard"] == pytest.approx(np.mean(by_hand))
    assert found["importance"] == pytest.approx(np.mean([importance_by_hand(study, frame, key) for key in keys]))
    page = report(transfer_project).read_text(encoding="utf-8")
    assert f"{found['jaccard']:.3f}" in page
    assert "by other measures" in page


def importance_by_hand(study, frame, key):
    unit = next(unit for unit in study.units if unit.key == key)
    W = np.zeros((len(study.tasks), study.tasks[0].n_features))
    for row in frame[frame["unit"] == key].itertuples():
        task = study.tasks[row.sample]
        columns = [task.names.index(name) for name in row.selected]
        stream = generator(unit.seed, Stream.BOOTSTRAP, task.name, unit.repeat, row.sample)
        drawn = np.concatenate([stream.integers(task.n_samples, size=task.n_samples) for _ in range(row.redraws + 1)])
        counts = np.bincount(drawn[-task.n_samples :], minlength=task.n_samples)
        X = task.X[:, columns] - np.average(task.X[:, columns], axis=0, weights=counts)
        X /= np.sqrt(np.average(X**2, axis=0, weights=counts))
        model = LogisticRegression(C=0.5 / unit.final_penalty, tol=1e-10, max_iter=10_000)
        each = [model.fit(X, task.codes == code, sample_weight=counts).coef_[0] for code in range(3)]
        W[row.sample, columns] = np.sqrt(np.mean(np.square(each), axis=0))
    return importance_weighted(W)
