"""The client's side of a Dask cluster: connect, offer the tables, feed chunks, keep what comes back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol
from uuid import uuid4

import pyarrow as pa

from fselect.datasets.dataset import Dataset
from fselect.datasets.shared_arrays import share
from fselect.errors import InputError, MissingExtra
from fselect.files import write_atomically
from fselect.study.plan import Unit
from fselect.study.runners.pace import Pace
from fselect.study.runners.remote import Done, Offer, about, run_chunk, sees
from fselect.study.store import UnitStore

__all__ = ["Cluster", "open_cluster", "run_on_cluster"]

CONNECT_SECONDS = 10.0
"""A scheduler answers in a fraction of a second; workers that were started with it may take longer."""

WAIT_SECONDS = 15.0
"""A chunk that takes longer makes the client look whether there are workers at all."""

AHEAD = 2
"""Chunks handed out for each thread of the cluster: one that runs, and one that waits there."""


class Pending(Protocol):
    """A chunk that was handed out."""

    def result(self, timeout: float | None = None) -> Any:
        """Wait for it."""
        ...


@dataclass(frozen=True)
class Cluster:
    """A connected cluster to which the tables of a study were offered.

    Parameters
    ----------
    address : str
        The scheduler's.
    client : distributed.Client
        The connection.
    offer : Offer
        What workers are told.
    store : UnitStore
        Where finished units are kept.
    """

    address: str
    client: Any
    offer: Offer
    store: UnitStore

    def submit(self, chunk: list[Unit]) -> Pending:
        """Hand out a chunk."""
        future: Pending = self.client.submit(run_chunk, self.offer, chunk, pure=False)
        return future

    @property
    def slots(self) -> int:
        """How many units the cluster runs at a time: the threads of its workers."""
        return sum(self.client.nthreads().values())

    def run(
        self,
        units: Sequence[Unit],
        on_done: Callable[[Unit], None],
        submit: Callable[[list[Unit]], Pending] | None = None,
    ) -> None:
        """Run units in chunks, and keep what comes back.

        Parameters
        ----------
        units : sequence of Unit
            What to run.
        on_done : callable
            Told of each unit when its chunk is finished.
        submit : callable, optional
            Hands out a chunk in another way than `submit` does: as a task of Prefect, say.

        Raises
        ------
        InputError
            If the scheduler or all workers are gone, or a chunk keeps ending its workers.
        """
        waiting, running, pace = deque(units), deque[tuple[list[Unit], Pending]](), Pace()
        slots = self.slots
        while waiting or running:
            while waiting and len(running) < AHEAD * max(slots, 1):
                chunk = list(islice(_taken(waiting), pace.size(len(waiting), slots)))
                running.append((chunk, (submit or self.submit)(chunk)))
            chunk, pending = running.popleft()
            done = self._finished(pending)
            pace.learn(done.ran, done.seconds)
            self._keep(done)
            for unit in chunk:
                on_done(unit)
            slots = self.slots

    def _finished(self, pending: Pending) -> Done:
        """Wait for a chunk, and tell in a sentence why it will never come."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        while True:
            try:
                done: Done = pending.result(timeout=WAIT_SECONDS)
            except TimeoutError:
                self._check_workers()
            except KilledWorker:
                raise InputError(
                    "a chunk of units ended several Dask workers one after the other: give them more memory, or fewer "
                    "threads each; finished units are kept"
                ) from None
            except FutureCancelledError:
                raise InputError(f"the Dask scheduler at {self.address} is gone; finished units are kept") from None
            else:
                return done

    def _check_workers(self) -> None:
        if self.client.status != "running":
            raise InputError(f"the Dask scheduler at {self.address} is gone; finished units are kept")
        if not self.slots:
            raise InputError(
                f"the Dask scheduler at {self.address} has no workers left: start some with `dask worker "
                f"{self.address}`, and the same command goes on; finished units are kept"
            )

    def _keep(self, done: Done) -> None:
        for key, (stream, facts) in done.rows.items():
            with pa.ipc.open_stream(stream) as reader:
                self.store.write(key, reader.read_all(), facts)


def _taken(waiting: deque[Unit]) -> Iterator[Unit]:
    while waiting:
        yield waiting.popleft()


@contextmanager
def open_cluster(address: str, tasks: Sequence[Dataset], store: UnitStore) -> Iterator[Cluster]:
    """Connect to a scheduler and offer it the tables of a study.

    Workers that see the study's disk map the tables from there; if one does not, they are sent to the cluster, once.

    Raises
    ------
    InputError
        If the scheduler does not answer, has no workers, or these have another version of fselect.
    """
    with _connected(address) as client:
        _check_workers(client, address)
        with _offered(client, tasks, store) as offer:
            yield Cluster(address, client, offer, store)


def run_on_cluster(
    units: Sequence[Unit],
    tasks: Sequence[Dataset],
    store: UnitStore,
    *,
    address: str,
    on_done: Callable[[Unit], None],
) -> None:
    """Run units on the Dask cluster of a scheduler, and keep each."""
    with open_cluster(address, tasks, store) as cluster:
        cluster.run(units, on_done)


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise MissingExtra("distributed", extra="dask") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"no Dask scheduler answers at {address} ({_first_line(error)}): start one with `dask scheduler`, or write "
            "execution.runner: threads"
        ) from None
    with client:
        yield client


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")


def _check_workers(client: Any, address: str) -> None:
    """Refuse a cluster without workers, or with workers whose results may differ."""
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError:
        raise InputError(
            f"the Dask scheduler at {address} has no workers: start some with `dask worker {address}`"
        ) from None
    here = about()
    for worker, there in client.run(about, on_error="return").items():
        if isinstance(there, BaseException):
            raise InputError(
                f"the Dask worker {worker} cannot load fselect ({_first_line(there)}): install {here} there, with "
                "the extra 'dask'"
            )
        if there != here:
            raise InputError(f"the Dask worker {worker} has {there}, and here is {here}: install the same on both")


@contextmanager
def _offered(client: Any, tasks: Sequence[Dataset], store: UnitStore) -> Iterator[Offer]:
    """Put the tables where workers find them, as long as the study runs."""
    paths = tuple(str(share(task, store.arrays).resolve()) for task in tasks)
    store.folder.mkdir(parents=True, exist_ok=True)
    token = store.arrays / f"seen-{uuid4().hex}"
    write_atomically(token, b"")
    offer = Offer(str(store.folder.resolve()), str(token.resolve()), paths, f"fselect-{uuid4().hex}")
    try:
        if not all(client.run(sees, offer).values()):
            _send(client, tasks, offer.published)
        yield offer
    finally:
        token.unlink(missing_ok=True)
        with suppress(Exception):  # the scheduler may be gone, and the study's outcome does not depend on it
            client.unpublish_dataset(offer.published)


def _send(client: Any, tasks: Sequence[Dataset], name: str) -> None:
    """Send the tables to every worker, and publish them for those that join later."""
    (sent,) = client.scatter([tuple(tasks)], broadcast=True, hash=False)
    client.publish_dataset(sent, name=name)
