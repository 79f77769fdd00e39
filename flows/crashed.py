"""Flow runs that were killed, and whose state nobody wrote any more."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterParentFlowRunId
from prefect.exceptions import ObjectNotFound
from prefect.states import Crashed, State

from fselect.study.lock import LockHolder

__all__ = ["mark_crashed"]


def mark_crashed(dead: LockHolder | None) -> None:
    """Say of a flow run that was killed, and of those that it had called, that they are not running any more."""
    if dead is None or dead.flow_run is None:
        return
    with get_client(sync_client=True) as client:
        try:
            before = client.read_flow_run(UUID(dead.flow_run))
        except ObjectNotFound:  # it belonged to another server
            return
        if before.state is not None and before.state.is_final():
            return
        called = client.read_flow_runs(
            flow_run_filter=FlowRunFilter(parent_flow_run_id=FlowRunFilterParentFlowRunId(any_=[before.id]))
        )
        for run in (*called, before):
            if run.state is None or not run.state.is_final():
                state: State[Any] = Crashed(
                    message=f"Process {dead.pid} ended without a word; the next run goes on from its units."
                )
                client.set_flow_run_state(run.id, state, force=True)
