"""Stability by the code of Hamer and Dupont, on random tables: see ``origin`` in hamer_dupont_2021.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("hamer_dupont_2021.json").read_text(encoding="utf-8")
)["cases"]
"""Importances and values of the features, and what each of the authors' functions gives for them, by its name."""
