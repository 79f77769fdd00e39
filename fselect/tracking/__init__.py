"""Tracking in MLflow: the project's store, one run a point and one a front, and the way back to them."""

from __future__ import annotations

from fselect.tracking.browser import artifact_url, compare_url, report_url, runs_url, ui_command
from fselect.tracking.connection import Store
from fselect.tracking.listing import find_run, list_runs
from fselect.tracking.outbox import TrackingWarning, flush_outbox, waiting
from fselect.tracking.probe import StoreUnreachable
from fselect.tracking.runs import log_study, open_store

__all__ = [
    "Store",
    "StoreUnreachable",
    "TrackingWarning",
    "artifact_url",
    "compare_url",
    "find_run",
    "flush_outbox",
    "list_runs",
    "log_study",
    "open_store",
    "report_url",
    "runs_url",
    "ui_command",
    "waiting",
]
