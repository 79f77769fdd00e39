"""Made-up samples: columns that go together in blocks, a weak signal in a few, a bootstrap, and gamma draws of β."""

from __future__ import annotations

import numpy as np

from benchmarks.rfe.base import BaseDataset
from fselect.datasets import make_microarray
from fselect.selectors.shrinkage import draw_log_shrinkage


class Dataset(BaseDataset):
    """Block correlation .7, 20 relevant columns whose classes differ by 2.5 standard errors; a bootstrap."""

    name = "blocks"
    parameters = {  # noqa: RUF012
        "shape_of_table": [(102, 12600), (62, 2000), (500, 50), (20000, 200), (6000, 5000)],
        "shape": [1.0, 10.0],
        "penalty": [0.5, 0.1, 1.0],
        "seed": [0],
    }

    def get_data(self):
        n, d = self.shape_of_table
        table = make_microarray(n, d, n_relevant=min(20, d // 10), effect=5.0 / n**0.5, random_state=self.seed)
        rng = np.random.default_rng(self.seed + 1)
        counts = np.bincount(rng.integers(n, size=n), minlength=n).astype(float)
        log_beta = draw_log_shrinkage(d, self.shape, rng)
        return {
            "X": table.X,
            "codes": table.codes,
            "counts": counts,
            "log_beta": log_beta,
            "penalty": self.penalty,
        }
