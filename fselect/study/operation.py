"""The sections of params.yaml that say how a study is operated: promotion with its gate, arrivals, and limits."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["ArrivalsConfig", "GateConfig", "LimitsConfig", "Name", "PromotionConfig", "Section"]

Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*$")]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Section(BaseModel):
    """A section of a study file: frozen, and with no key that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class GateConfig(Section):
    """The rules by which a challenger becomes champion; all must hold.

    Parameters
    ----------
    not_dominated : bool, default=True
        Refuse a challenger that is neither more accurate nor more stable than the champion.
    margin : float or None, default=0.02
        How much less accurate than the champion's set a challenger may be, on the new task; the lower limit of the
        paired difference must not lie below it. None asks for no such proof.
    level : float, default=0.95
        Of that one-sided limit.
    min_stability : float or None, default=0.5
        Least stability of the challenger's selection on the new task.
    n_features, max_features : int or None
        The size that a set must have, and the most it may have.
    automatic : bool, default=True
        Move the alias where the gate is passed; else only say so.
    """

    not_dominated: bool = True
    margin: Share | None = 0.02
    level: Annotated[float, Field(gt=0.5, lt=1)] = 0.95
    min_stability: Share | None = 0.5
    n_features: Annotated[int, Field(ge=1)] | None = None
    max_features: Annotated[int, Field(ge=1)] | None = None
    automatic: bool = True


class PromotionConfig(Section):
    """The registered name that sets are promoted to (nothing is promoted without one), and the gate before it."""

    name: Name | None = None
    gate: GateConfig = GateConfig()


class ArrivalsConfig(Section):
    """Where new tables appear, and how patient the arrival of one is.

    Parameters
    ----------
    folder : str, default="data/inbox"
        The watched folder, from the project's root.
    settle : float, default=5
        Seconds that a file must have stayed as it is before it is read.
    grace : float, default=600
        Seconds since its last change during which a file that cannot be read counts as half copied.
    wait : float, default=3600
        Seconds to wait for another study or arrival in the folder.
    """

    folder: Annotated[str, Field(min_length=1)] = "data/inbox"
    settle: Seconds = 5.0
    grace: Seconds = 600.0
    wait: Seconds = 3600.0


class LimitsConfig(Section):
    """How large a table may be that is read without anybody looking.

    Parameters
    ----------
    bytes : int, default=8 GB
        Of a table's file, unpacked.
    columns : int, default=200,000
        Of a table; a whole genome's expression has about 60,000.
    name_length : int, default=300
        Characters of a column's or a task's name.
    """

    bytes: Annotated[int, Field(ge=1)] = 8_000_000_000
    columns: Annotated[int, Field(ge=2)] = 200_000
    name_length: Annotated[int, Field(ge=8)] = 300
