"""Runs that wait for a server that went away: one file a run, sent in order, once."""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Sequence
from pathlib import Path

from fselect.files import write_atomically
from fselect.tracking.connection import Store
from fselect.tracking.reasons import reason_of
from fselect.tracking.record import RunRecord
from fselect.tracking.sending import send

__all__ = ["TrackingWarning", "flush_outbox", "is_refusal", "spool", "waiting"]

_NAME = re.compile(r"(\d{8})-(.+)\.zip")


class TrackingWarning(UserWarning):
    """Something was not tracked as asked for; the results themselves are safe."""


def waiting(state_dir: Path) -> list[Path]:
    """List the spooled runs of a project, in the order in which they will be sent.

    Parameters
    ----------
    state_dir : Path
        The project's ``.fselect`` folder.

    Returns
    -------
    list of Path

    Examples
    --------
    >>> waiting(Path("nowhere"))
    []
    """
    folder = state_dir / "outbox"
    return sorted(path for path in folder.glob("*.zip") if _NAME.fullmatch(path.name))


def spool(state_dir: Path, records: Sequence[RunRecord]) -> list[Path]:
    """Put records into the outbox, behind those that wait; one that waits already is not put twice.

    Parameters
    ----------
    state_dir : Path
        The project's ``.fselect`` folder.
    records : sequence of RunRecord
        In the order in which they are to be sent.

    Returns
    -------
    list of Path
        The files that were written; each appears whole or not at all.
    """
    there = waiting(state_dir)
    keys = {_parts(path)[1] for path in there}
    last = max((_parts(path)[0] for path in there), default=0)
    fresh = [record for record in records if record.key not in keys]
    return [
        write_atomically(state_dir / "outbox" / f"{number:08d}-{record.key}.zip", record.to_bytes())
        for number, record in enumerate(fresh, start=last + 1)
    ]


def flush_outbox(store: Store) -> list[str]:
    """Send what waits, in order, and stop at the first failure of the server.

    A run that was sent and whose file could not be removed in time is found by its key and not sent again. A run
    that the server refuses for what it holds is set aside under ``outbox/refused`` with a warning, so that it does
    not block the others for ever.

    Parameters
    ----------
    store : Store
        Where to.

    Returns
    -------
    list of str
        Ids of the runs.
    """
    from mlflow.exceptions import MlflowException

    sent = []
    for path in waiting(store.state_dir):
        try:
            sent.append(send(store, RunRecord.from_bytes(path.read_bytes())))
            path.unlink(missing_ok=True)
        except FileNotFoundError:
            continue  # another process has sent it
        except (MlflowException, OSError) as error:
            if not is_refusal(error):
                _warn_of_waiting(store, error)
                break
            _set_aside(path, error)
        except (zipfile.BadZipFile, ValueError, KeyError, TypeError) as error:
            _set_aside(path, error)
    return sent


def is_refusal(error: Exception) -> bool:
    """Whether a server has understood a request and will never accept it, rather than being away."""
    status = getattr(error, "get_http_status_code", None)
    return status is not None and status() == 400


def _parts(path: Path) -> tuple[int, str]:
    number, key = path.stem.split("-", 1)
    return int(number), key


def _warn_of_waiting(store: Store, error: Exception) -> None:
    left = len(waiting(store.state_dir))
    told = f"{left} runs still wait in {store.state_dir / 'outbox'}, for MLflow does not take them: {reason_of(error)}"
    warnings.warn(f"{told}; its log may say more", TrackingWarning, stacklevel=5)


def _set_aside(path: Path, error: Exception) -> None:
    place = path.parent / "refused" / path.name
    place.parent.mkdir(exist_ok=True)
    path.replace(place)
    warnings.warn(f"MLflow refuses the spooled run {place}: {reason_of(error)}", TrackingWarning, stacklevel=4)
