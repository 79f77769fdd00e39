"""Arrivals: the table of a new task is found, held against the earlier ones, selected from, compared and registered."""

from __future__ import annotations

from fselect.arrivals.judgement import Verdict, judge, log, register
from fselect.arrivals.task import Arrival, Known, open_ledger, read, recognise
from fselect.arrivals.work import Worked, keep, measure, prepare

__all__ = [
    "Arrival",
    "Known",
    "Verdict",
    "Worked",
    "judge",
    "keep",
    "log",
    "measure",
    "open_ledger",
    "prepare",
    "read",
    "recognise",
    "register",
]
