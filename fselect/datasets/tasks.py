"""Ordered tasks: every way to make them, to write them down and to read them again."""

from __future__ import annotations

from fselect.datasets.noise import noisy_tasks
from fselect.datasets.table_tasks import tasks_from_column, tasks_from_tables
from fselect.datasets.task_files import read_tasks, write_tasks

__all__ = ["noisy_tasks", "read_tasks", "tasks_from_column", "tasks_from_tables", "write_tasks"]
