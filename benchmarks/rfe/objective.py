"""What is asked of each solver: the set that is left when 20 % of what remains is dropped again and again."""

from __future__ import annotations

from benchmarks.rfe.base import BaseObjective


class Objective(BaseObjective):
    """Σ c log(1 + exp(-y (w·x + b))) + λ Σ β w² on standardised columns, refitted after every drop, down to `keep`."""

    name = "RFE"
    keep = 20
    step = 0.2

    def set_data(self, X, codes, counts, log_beta, penalty):
        self.problem = {"X": X, "codes": codes, "counts": counts, "log_beta": log_beta, "penalty": penalty}

    def get_objective(self):
        return self.problem | {"keep": self.keep, "step": self.step}

    def evaluate_result(self, support, reference=None):
        """Return the share of the reference's features that were found."""
        found = 1.0 if reference is None else (support & reference).sum() / self.keep
        return {"value": 1.0 - found}

    def get_one_result(self):
        return {"support": self.problem["log_beta"] < 0}
