"""Made-up tables: a weak signal in a tenth of the columns."""

from __future__ import annotations

import numpy as np

from benchmarks.rfe.base import BaseDataset


class Dataset(BaseDataset):
    """Normal columns, counts, or values 0 … values - 1; ten stratified folds."""

    name = "made up"
    parameters = {  # noqa: RUF012
        "size": [(450, 278), (300, 64), (100, 278)],
        "kind": ["normal", "counts", "nominal"],
        "n_classes": [2, 6],
        "values": [2, 3],
        "seed": [0],
    }

    def get_data(self):
        n, d = self.size
        rng = np.random.default_rng(self.seed)
        y = rng.permutation(np.arange(n) % self.n_classes)
        relevant = rng.random(d) < 0.1
        if self.kind == "normal":
            X = rng.normal(size=(n, d)) + 0.4 * y[:, None] * relevant
        elif self.kind == "counts":
            X = rng.poisson(1.0 + 0.3 * y[:, None] * relevant).astype(float)
        else:
            agrees = (rng.random((n, d)) < 0.2) & relevant
            X = np.where(agrees, y[:, None] % self.values, rng.integers(0, self.values, size=(n, d))).astype(float)
        folds = np.empty(n, dtype=int)
        folds[np.argsort(y, kind="stable")] = np.arange(n) % 10
        return {"X": X, "y": y, "folds": folds}
