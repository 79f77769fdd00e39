"""The gate: whether a challenger may become champion, by the rules of params.yaml, each with its reason.

The challenger is judged on the task that it was made for. Its accuracy and stability are those of the selection on
bootstraps of that task; the champion's accuracy is that of its set, as it is, on the same bootstraps, and its
stability that of the selection that once made it. Decided here: a set that is merely kept has stability 1 by
construction, and against that every challenger would have to be the more accurate one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fselect.evaluation.paired import Paired, lower_limit
from fselect.study.operation import GateConfig

__all__ = ["Check", "Decision", "decide"]


@dataclass(frozen=True)
class Check:
    """One rule, whether it holds, and the figures in a sentence."""

    rule: str
    passed: bool
    sentence: str


@dataclass(frozen=True)
class Decision:
    """What the gate says: every rule that was asked for, in the order of params.yaml."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether all rules hold."""
        return all(check.passed for check in self.checks)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The sentences of the rules that do not hold."""
        return tuple(check.sentence for check in self.checks if not check.passed)

    @property
    def text(self) -> str:
        """One line: the reasons against it, or what speaks for it."""
        told = self.reasons or tuple(check.sentence for check in self.checks)
        return "; ".join(told) or "no rule is set"

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON values."""
        checks = [vars(check) for check in self.checks]
        return {"passed": self.passed, "reasons": list(self.reasons), "checks": checks}


def decide(evidence: Mapping[str, Any], rules: GateConfig) -> Decision:
    """Hold a challenger against the rules.

    Parameters
    ----------
    evidence : mapping
        Of the challenger: ``features``, ``accuracy``, ``stability``, and under ``comparison`` and ``champion`` what
        the champion's set gave on the same bootstraps; without a champion that is missing or None.
    rules : GateConfig
        The rules; one that is None, or false, is not asked.

    Returns
    -------
    Decision

    Examples
    --------
    >>> evidence = {"features": ["a", "b"], "accuracy": 0.9, "stability": 0.4}
    >>> decide(evidence, GateConfig(min_stability=0.5)).text
    'stability 0.400 is below 0.5'
    >>> decide(evidence, GateConfig(min_stability=0.3)).passed
    True
    """
    champion = (evidence.get("comparison") or {}).get("champion")
    asked: list[tuple[bool, Callable[[], Check]]] = [
        (rules.not_dominated, lambda: _not_dominated(evidence, champion)),
        (rules.margin is not None, lambda: _accurate(champion, rules)),
        (rules.min_stability is not None, lambda: _stable(evidence, float(rules.min_stability or 0))),
        (rules.n_features is not None, lambda: _size(evidence, rules)),
        (rules.max_features is not None, lambda: _at_most(evidence, rules)),
    ]
    return Decision(tuple(check() for wanted, check in asked if wanted))


def _not_dominated(evidence: Mapping[str, Any], champion: Mapping[str, Any] | None) -> Check:
    rule = "not_dominated"
    if champion is None:
        return Check(rule, True, "it was compared with no champion")
    ours = _number(evidence, "accuracy"), _number(evidence, "stability")
    theirs = _number(champion, "accuracy"), _number(champion, "stability")
    # A stability that was never recorded decides nothing: then accuracy alone does.
    known = not math.isnan(theirs[1])
    at_least = theirs[0] >= ours[0] and (theirs[1] >= ours[1] or not known)
    dominated = at_least and (theirs[0] > ours[0] or theirs[1] > ours[1])
    word = "is dominated by" if dominated else "is not dominated by"
    return Check(rule, not dominated, f"{_pair(*ours)} {word} the champion's {_pair(*theirs)}")


def _pair(accuracy: float, stability: float) -> str:
    return f"(accuracy {accuracy:.3f}, stability {stability:.3f})"


def _accurate(champion: Mapping[str, Any] | None, rules: GateConfig) -> Check:
    rule, margin = "margin", float(rules.margin or 0)
    if champion is None:
        return Check(rule, True, "it was compared with no champion")
    found = Paired(_number(champion, "difference"), _number(champion, "variance"), int(champion["resamples"]))
    low = lower_limit(found, rules.level)
    told = f"accuracy differs from the champion's by {found.difference:+.3f}, at least {low:+.3f} ({rules.level:.0%})"
    if low >= -margin:
        return Check(rule, True, f"{told}, within the margin of {margin:g}")
    return Check(rule, False, f"{told}, which may be worse by more than {margin:g}")


def _stable(evidence: Mapping[str, Any], least: float) -> Check:
    stability = _number(evidence, "stability")
    passed = stability >= least
    return Check("min_stability", passed, f"stability {stability:.3f} is {'at least' if passed else 'below'} {least:g}")


def _size(evidence: Mapping[str, Any], rules: GateConfig) -> Check:
    size = len(evidence["features"])
    passed = size == rules.n_features
    return Check("n_features", passed, f"the set has {size} features" + ("" if passed else f", not {rules.n_features}"))


def _at_most(evidence: Mapping[str, Any], rules: GateConfig) -> Check:
    size = len(evidence["features"])
    passed = size <= int(rules.max_features or 0)
    return Check(
        "max_features", passed, f"the set has {size} features, {'at' if passed else 'not at'} most {rules.max_features}"
    )


def _number(values: Mapping[str, Any], name: str) -> float:
    value = values.get(name)
    return math.nan if value is None else float(value)
