"""The registry of promoted sets: register, promote, roll back, compare, list, load and apply them."""

from __future__ import annotations

from fselect.registry.application import Panel, apply, load_panel
from fselect.registry.automatic import Offer, offer
from fselect.registry.difference import difference
from fselect.registry.journal import history
from fselect.registry.promotion import Promotion, promote, promote_version, prospect
from fselect.registry.returning import rollback
from fselect.registry.versions import panels

__all__ = [
    "Offer",
    "Panel",
    "Promotion",
    "apply",
    "difference",
    "history",
    "load_panel",
    "offer",
    "panels",
    "promote",
    "promote_version",
    "prospect",
    "rollback",
]
