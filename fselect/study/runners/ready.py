"""Imported by the process that worker processes are forked from: all that a unit needs is loaded when this is."""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_limits

import fselect.study.runners.keeping  # noqa: F401
from fselect.classifiers.logistic import fit_logistic
from fselect.selectors.elimination import eliminate

__all__ = ["load_kernels"]


def load_kernels() -> None:
    """Select and fit on a few numbers, so that compiled code is in memory."""
    values = np.cos(np.arange(480.0))
    codes = np.arange(40) % 2
    for X in (values.reshape(40, 12), np.tile(values, 20).reshape(40, 240)):
        X.flags.writeable = False
        eliminate(X, codes, np.ones(40), n_features=2, penalty=1.0, n_classes=2, log_shrinkage=np.zeros(X.shape[1]))
    fit_logistic(values.reshape(40, 12), codes, np.ones(40), 1.0, n_classes=2)


with threadpool_limits(1):
    load_kernels()
