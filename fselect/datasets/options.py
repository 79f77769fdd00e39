"""The explicit choices about a table: missing values, text columns, clipping, logarithm."""

from __future__ import annotations

import math
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from fselect.datasets.wording import did_you_mean
from fselect.errors import InputError

__all__ = ["DataOptions", "data_options"]


class DataOptions(BaseModel):
    """What is done to a table between the file and the selection; nothing is done that is not asked for.

    The order is fixed: columns are dropped, text becomes numbers, missing values are dealt with, values
    are clipped, the logarithm is taken. Clipping and logarithm touch numeric columns only.

    Parameters
    ----------
    missing : {"error", "drop", "impute", "category", "keep"}, default="error"
        What becomes of missing values. ``drop`` leaves out the rows that have one (or have no label);
        ``impute`` puts the column's median (its most frequent value, in a text column) in their place;
        ``category`` makes "missing" a value of its own in text columns; ``keep`` leaves NaN, for methods
        that can work with it (in a study's final models the mean of the drawn rows stands in its place).
        Imputation looks at the whole table once, before any resampling: it does not see the labels, but test
        rows do take part in the median.
    nominal : {"error", "onehot"}, default="error"
        Text columns with two values become 0 and 1 anyway; ``onehot`` makes one 0/1 column ``col=value``
        a value of those with more.
    clip : (float, float), optional
        Values below the first or above the second are set to it.
    log : float or "e", optional
        Base of the logarithm that is taken of all numeric values.
    drop : tuple of str, default=()
        Columns to leave out.
    sheet : str or int, optional
        Sheet of an Excel file, by name or by number from 0. Default: the first.

    Examples
    --------
    >>> DataOptions(clip=(10, 16000), log=10).clip
    (10.0, 16000.0)
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    missing: Literal["error", "drop", "impute", "category", "keep"] = "error"
    nominal: Literal["error", "onehot"] = "error"
    clip: tuple[float, float] | None = None
    log: float | None = None
    drop: tuple[str, ...] = ()
    sheet: str | int | None = None

    @field_validator("clip")
    @classmethod
    def _clip_is_an_interval(cls, clip: tuple[float, float] | None) -> tuple[float, float] | None:
        if clip is not None and not (all(map(math.isfinite, clip)) and clip[0] < clip[1]):
            raise ValueError(f"the low end must be below the high end, and both finite, not {list(clip)}")
        return clip

    @field_validator("log", mode="before")
    @classmethod
    def _log_may_be_e(cls, log: Any) -> Any:
        return math.e if isinstance(log, str) and log.strip().lower() in ("e", "ln") else log

    @field_validator("log")
    @classmethod
    def _log_has_a_base(cls, log: float | None) -> float | None:
        if log is not None and not (math.isfinite(log) and log > 1):
            raise ValueError(f"the base of the logarithm must be above 1 (2, 10 or e), not {log}")
        return log

    @field_validator("drop", mode="before")
    @classmethod
    def _one_name_is_a_list_of_one(cls, drop: Any) -> Any:
        return (drop,) if isinstance(drop, str) else (() if drop is None else drop)


def data_options(options: DataOptions | None = None, **words: Any) -> DataOptions:
    """Build the options from keywords, over those that are given.

    Parameters
    ----------
    options : DataOptions, optional
        Where to start. Default: the defaults.
    **words
        Fields of `DataOptions`; they win.

    Returns
    -------
    DataOptions
        The validated options.

    Raises
    ------
    InputError
        An unknown option, or a value that is not allowed; the sentence names the option.

    Examples
    --------
    >>> data_options(missing="drop").missing
    'drop'
    >>> data_options(mising="drop")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: there is no data option 'mising'; did you mean 'missing'?
    """
    known = list(DataOptions.model_fields)
    for word in words:
        if word not in known:
            raise InputError(f"there is no data option {word!r}{did_you_mean(word, known)}")
    given = options.model_dump(exclude_unset=True) if options else {}
    try:
        return DataOptions(**{**given, **words})
    except ValidationError as error:
        first = error.errors()[0]
        place = first["loc"][0] if first["loc"] else "option"
        reason = str(first["msg"]).removeprefix("Value error, ")
        raise InputError(f"data option {place!r}: {reason[0].lower() + reason[1:]}") from error
