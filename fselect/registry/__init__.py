"""The registry of promoted sets: promote one, list them, load and apply one."""

from __future__ import annotations

from fselect.registry.application import Panel, apply, load_panel
from fselect.registry.promotion import Promotion, promote
from fselect.registry.versions import panels

__all__ = ["Panel", "Promotion", "apply", "load_panel", "panels", "promote"]
