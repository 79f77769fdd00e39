"""The option by which a command on tables is told how to choose a point of the front."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from fselect.errors import InputError

__all__ = ["OperatingPoint", "operating_point"]

OperatingPoint = Annotated[
    str,
    typer.Option(
        "--operating-point",
        metavar="RULE",
        help="How the point is chosen: one_se, knee, min_stability=φ, max_accuracy_loss=A or weight=W (of stability).",
        rich_help_panel="Selection",
    ),
]


def operating_point(text: str) -> dict[str, Any]:
    """Turn the option into the section of study files.

    Parameters
    ----------
    text : str
        A rule of `fselect.evaluation.operating_point.choose`, with ``=`` and its value if it takes one.

    Returns
    -------
    dict
        ``rule`` and ``value``.

    Raises
    ------
    InputError
        If there is no such rule, its value is missing or outside [0, 1], or it takes none.

    Examples
    --------
    >>> operating_point("min_stability=0.7")
    {'rule': 'min_stability', 'value': 0.7}
    >>> operating_point("knee")
    {'rule': 'knee', 'value': None}
    """
    from fselect.datasets.wording import did_you_mean
    from fselect.evaluation.operating_point import RULES, VALUED

    rule, _, value = text.strip().partition("=")
    if rule not in RULES:
        raise InputError(f"--operating-point: there is no rule {rule!r}{did_you_mean(rule, list(RULES))}")
    if rule not in VALUED:
        if value:
            raise InputError(f"--operating-point: the rule {rule} takes no value; leave out '={value}'")
        return {"rule": rule, "value": None}
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise InputError(f"--operating-point: the rule {rule} takes a value from 0 to 1, say {rule}=0.6")
    return {"rule": rule, "value": number}
