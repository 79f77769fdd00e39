"""Measures of stability by programs of others, in R, on random tables: see ``origin`` in stability_in_r.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_RECORD = Path(__file__).with_suffix(".json")

CASES: list[dict[str, Any]] = json.loads(_RECORD.read_text(encoding="utf-8"))["cases"]
"""Importances and values of the features, and what each function gives for them, by its name."""
