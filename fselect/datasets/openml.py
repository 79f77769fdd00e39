"""Datasets of openml.org, through scikit-learn's client."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np
from scipy.sparse import issparse

from fselect.datasets.columns import Table
from fselect.datasets.dataset import Dataset, check_dataset
from fselect.datasets.options import DataOptions
from fselect.datasets.preparation import prepare
from fselect.errors import InputError

__all__ = ["load_openml"]


def load_openml(number: str | int) -> Dataset:
    """Fetch a dataset from openml.org, or take it from scikit-learn's data folder if it was fetched before.

    Rows with missing values are left out; text columns with two values become 0/1, those with more one
    column a value. The target is the one that OpenML names. What OpenML keeps sparse stays sparse.

    Parameters
    ----------
    number : str or int
        OpenML's number of the dataset (its ``data_id``).

    Returns
    -------
    Dataset
        Called ``openml-NUMBER``.

    Raises
    ------
    InputError
        Not a number, no such dataset, no target, or openml.org cannot be reached.

    Examples
    --------
    >>> load_openml("colon")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: openml: needs a dataset's number, as in openml:1432, not 'colon'
    """
    if not str(number).strip().isdecimal():
        raise InputError(f"openml: needs a dataset's number, as in openml:1432, not {str(number)!r}")
    bunch = _fetch(int(number))
    label = f"openml:{int(number)}"
    if bunch.target is None:
        raise InputError(f"{label} names no target, so it is no table for a selection; take another one")
    if issparse(bunch.data):
        return _sparse(int(number), bunch.target_names)
    target = str(bunch.target.name)
    options = DataOptions(missing="drop", nominal="onehot")
    table = Table(bunch.frame, label, f"openml-{int(number)}")
    return prepare([table], target, options, {"source": f"{label} ({bunch.details.get('name')})"})[0]


def _sparse(number: int, targets: Sequence[str]) -> Dataset:
    """A table that OpenML keeps sparse, its target read as one of the columns.

    scikit-learn's own target of such a table is not used: where a row does not write its class, which is then the
    first one, it holds whatever was in memory.
    """
    label = f"openml:{number}"
    bunch = _fetch(number, target_column=None)  # the same file again, from scikit-learn's data folder
    names = list(map(str, bunch.feature_names))
    if len(targets) != 1 or targets[0] not in names:
        raise InputError(f"{label} has {len(targets)} targets ({', '.join(targets)}); take a table with one")
    values = bunch.categories
    place = names.index(targets[0])
    kept = [i for i in range(len(names)) if i != place]
    _check_numeric(label, {names[i]: values.get(names[i], ()) for i in kept})
    y = bunch.data[:, [place]].toarray()[:, 0]
    if targets[0] in values:
        y = np.asarray(values[targets[0]], dtype=object)[y.astype(np.intp)]
    recipe = {"source": f"{label} ({bunch.details.get('name')})", "target": "target"}
    X = bunch.data[:, kept]
    return check_dataset(Dataset(X, y, f"openml-{number}", tuple(names[i] for i in kept), recipe=recipe))


def _check_numeric(label: str, values: Mapping[str, Sequence[str]]) -> None:
    for name, known in values.items():
        if len(known) > 2:
            raise InputError(
                f"{label}: column {name!r} is nominal with {len(known)} values, and a sparse table's columns are taken "
                "as numbers; save it as a dense table with --nominal onehot"
            )


def _fetch(number: int, **more: Any) -> Any:
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of retries and unusual parsers: the answer or one sentence is enough
            return fetch_openml(data_id=number, as_frame="auto", parser="auto", n_retries=1, delay=0.5, **more)
    except HTTPError as error:
        raise InputError(f"openml.org refused openml:{number} (HTTP {error.code}); check the number") from error
    except (URLError, OSError) as error:
        reason = getattr(error, "reason", None) or error
        way_out = "connect, or take one of the bundled datasets"
        raise InputError(f"openml.org cannot be reached for openml:{number} ({reason}); {way_out}") from error
    except (ValueError, KeyError) as error:  # no such number, or a form that scikit-learn does not read
        raise InputError(f"openml:{number} cannot be fetched: {str(error).strip().rstrip('.')}") from error
