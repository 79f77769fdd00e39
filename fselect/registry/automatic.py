"""Promotion at the end of a study: it fills a name, and never overrules what a person or the gate has decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fselect.registry.moves import BACK, BY_STUDY, last_move, standing
from fselect.registry.promotion import Promotion, promote
from fselect.registry.versions import check_name, versions_of
from fselect.tracking import Store, find_run, open_store
from fselect.tracking.away import reaching
from fselect.tracking.probe import StoreUnreachable

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["Offer", "offer"]


@dataclass(frozen=True)
class Offer:
    """What became of the set that a study has chosen.

    Parameters
    ----------
    sentence : str
        What was done, or why nothing was.
    promotion : Promotion or None
        The promotion, if there was one.
    """

    sentence: str
    promotion: Promotion | None = None


def offer(project: Project, run: str) -> Offer:
    """Promote the set that a study has chosen, under the name that its study file gives.

    A study runs every night, and its set is offered each time. So it becomes champion only where there is none, or
    where the champion is the set of an earlier state of the study. A champion that a person chose, that came back by
    a rollback, or that was made for a later task and passed the gate, stays.

    Parameters
    ----------
    project : Project
        Its ``promotion.name`` is the name.
    run : str
        The run of the chosen point, as `promote` takes it.

    Returns
    -------
    Offer

    Raises
    ------
    InputError
        As `promote` does. A server that is away is no error: the next run offers the set again.
    """
    name = check_name(str(project.config.promotion.name))
    try:
        store = open_store(project)
        with reaching(store):
            return _offer(project, store, run, name)
    except StoreUnreachable as error:
        return Offer(f"not promoted as {name} now, the next run does it: {error}")


def _offer(project: Project, store: Store, run: str, name: str) -> Offer:
    if find_run(store, run).data.metrics.get("n_features") == 0.0:
        return Offer(f"not promoted as {name}: the chosen set is empty, and an empty set selects nothing")
    champion = _champion(store, name)
    if champion is None:
        return _promoted(project, run, name)
    version, holder = champion
    if holder == find_run(store, run).info.run_id:
        return Offer(f"{name} version {version} is champion already")
    decided = _decided(store, name)
    if decided is None:
        return _promoted(project, run, name)
    return Offer(
        f"not promoted as {name}: version {version} was {decided}, and stays champion; to replace it: "
        f"fselect promote {run!r} --name {name!r}"
    )


def _champion(store: Store, name: str) -> tuple[int, str] | None:
    versions = {int(version.version): str(version.run_id) for version in versions_of(store, name)}
    number = standing(store, name).champion if versions else None
    return None if number is None else (number, versions[number])


def _decided(store: Store, name: str) -> str | None:
    """How the champion came to be one; None if a study made it."""
    last = last_move(store, name)
    if last is None or last["action"] == BY_STUDY:
        return None
    return "brought back by a rollback" if last["action"] == BACK else str(last["action"])


def _promoted(project: Project, run: str, name: str) -> Offer:
    made = promote(project, run, name, by_hand=False)
    return Offer(f"promoted: {name} version {made.version}, alias champion", made)
