"""Selection on a Dask cluster: each chunk of units is a Prefect task that runs on one of its workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any, ClassVar

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.orchestration import get_client
from prefect.settings import PREFECT_API_URL, temporary_settings

from fselect.errors import MissingExtra
from fselect.stages import Study
from fselect.study.plan import Unit
from fselect.study.runners.cluster import Pending, open_cluster
from fselect.study.runners.remote import Done, Offer, run_chunk

__all__ = ["select_on_cluster"]


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="select {label}")
def select_chunk_on_worker(offer: Offer, chunk: list[Unit], label: str) -> Done:
    """Run one chunk of units on a worker."""
    return run_chunk(offer, chunk)


class _Work:
    """What the flow below does.

    Prefect sends a flow to the workers along with its tasks, and a connection cannot go there; a class goes by its
    name.
    """

    do: ClassVar[Callable[[], None]]


@flow(name="select on Dask", persist_result=False)
def select() -> None:
    """Hand out chunks until all are finished."""
    _Work.do()


def select_on_cluster(study: Study, units: Sequence[Unit], on_done: Callable[[Unit], None]) -> None:
    """Run units on the study's Dask cluster, as tasks of a flow whose task runner is Prefect's `DaskTaskRunner`.

    Workers report to the Prefect server by its address. A temporary server listens on this machine only, so workers
    on others need `PREFECT_API_URL` to name one that they reach.

    Raises
    ------
    InputError
        If the cluster cannot be used, or is lost.
    """
    address = str(study.project.config.execution.address)
    with open_cluster(address, study.tasks, study.store) as cluster, _server_by_address():
        _Work.do = partial(cluster.run, units, on_done, _submitter(cluster.offer))
        select.with_options(task_runner=_task_runner(address))()


def _submitter(offer: Offer) -> Callable[[list[Unit]], Pending]:
    numbers = count(1)

    def submit(chunk: list[Unit]) -> Pending:
        label = f"{next(numbers)}: {len(chunk)} units"
        task_of_prefect: Any = select_chunk_on_worker
        pending: Pending = task_of_prefect.submit(offer, chunk, label)
        return pending

    return submit


def _task_runner(address: str) -> Any:
    try:
        from prefect_dask import DaskTaskRunner
    except ImportError:  # missing, or of a time before this Prefect
        raise MissingExtra("prefect-dask", extra="dask") from None
    return DaskTaskRunner(address=address)


def _server_by_address() -> Any:
    """Name the server of this flow to the workers: each would start a temporary one of its own."""
    with get_client(sync_client=True) as client:
        return temporary_settings({PREFECT_API_URL: str(client.api_url)})
