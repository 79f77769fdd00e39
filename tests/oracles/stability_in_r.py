"""Measures of stability by programs of others, in R, on random tables: see ``origin`` in stability_in_r.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("stability_in_r.json").read_text(encoding="utf-8"))[
    "cases"
]
"""Importances and values of the features, and what each function gives for them, by its name."""
