"""Prior knowledge about features, from a file of names or from a few examples."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from fselect.datasets.dataset import Dataset
from fselect.datasets.sparse_tables import dense
from fselect.datasets.wording import did_you_mean
from fselect.errors import InputError
from fselect.selectors.shrinkage import Prior
from fselect.study.config import PriorConfig

__all__ = ["make_prior", "prior_label", "read_prior"]


def read_prior(path: Path, names: tuple[str, ...]) -> tuple[str, ...]:
    """Read a file of feature names: one a line, ``#`` starts a comment, blank lines are skipped.

    Parameters
    ----------
    path : Path
        The file.
    names : tuple of str
        The table's columns.

    Returns
    -------
    tuple of str

    Raises
    ------
    InputError
        If the file is missing, empty, or names an unknown feature or one twice.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the prior {path}: {getattr(error, 'strerror', error)}") from None
    listed = [line.split("#")[0].strip() for line in lines]
    features = tuple(name for name in listed if name)
    if not features:
        raise InputError(f"the prior {path} names no feature; write one name a line")
    known = set(names)
    for name in features:
        if name not in known:
            hint = did_you_mean(name, names)
            raise InputError(f"the prior {path} names {name!r}, which is no column of the table{hint}")
    if len(set(features)) < len(features):
        twice = next(name for name in features if features.count(name) > 1)
        raise InputError(f"the prior {path} names {twice!r} twice; keep one of them")
    return features


def prior_label(prior: PriorConfig | None, dataset: Dataset, root: Path) -> str | None:
    """What the prior is, as canonical JSON that holds the names themselves, so that an edited file is another prior."""
    if prior is None:
        return None
    facts: dict[str, object] = {"ranked": prior.ranked}
    if prior.file is not None:
        facts["names"] = read_prior(root / prior.file, dataset.names)
    else:
        _check_examples(prior, dataset)
        facts |= {"examples": prior.examples, "features": prior.features}
    return json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _check_examples(prior: PriorConfig, dataset: Dataset) -> None:
    limits = {"examples": dataset.n_samples, "features": dataset.n_features}
    for key, limit in limits.items():
        if getattr(prior, key) > limit:
            raise InputError(f"selection.prior.{key} is {getattr(prior, key)}, but the table has {limit}")


def make_prior(label: str | None, dataset: Dataset, rng: np.random.Generator) -> Prior | None:
    """Make the prior of one repeat.

    Parameters
    ----------
    label : str or None
        What `prior_label` gave.
    dataset : Dataset
        The table as loaded, after log and clip, before any standardisation.
    rng : numpy.random.Generator
        Draws the examples of a data-made prior.

    Returns
    -------
    Prior or None

    Notes
    -----
    A data-made prior is the set of features with the highest variance among examples drawn at random (Hamer & Dupont
    2019). Decided here: raw variance, ties to the earlier column; the examples stay in the bootstraps, their labels
    are not used.
    """
    if label is None:
        return None
    facts = json.loads(label)
    if "names" in facts:
        places = {name: place for place, name in enumerate(dataset.names)}
        return Prior(tuple(places[name] for name in facts["names"]), bool(facts["ranked"]))
    rows = rng.choice(dataset.n_samples, facts["examples"], replace=False)
    order = np.argsort(-dense(dataset.X[rows]).var(axis=0), kind="stable")
    return Prior(tuple(int(place) for place in order[: facts["features"]]), ranked=False)
