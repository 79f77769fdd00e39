"""The claims of Cohen, Ruppin & Dror (2005) as functions of results.

Every rule below was written before any result of the studies was looked at, but for two corrections of claim 4 that a
first look at I2000 led to: rounding errors are no contributions, and fewer than three splits decide nothing.
Comparisons are paired: all algorithms see the same splits, so differences are taken split by split and get Student's
interval over splits (`LEVEL`); the splits share rows, so it is a statement about these splits of this table rather
than about new samples. An interval that covers the border is "not reproduced" with the reason that it is not shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from fselect.reproductions.cells import Results
from fselect.reproductions.contribution.power_law import NOTHING, power_law
from fselect.reproductions.contribution.published import SLOPES
from fselect.reproductions.contribution.settings import COLUMNS, STUDIES
from fselect.reproductions.evidence import Finding, Measured, Verdict, mean_interval, not_tested

__all__ = ["EQUAL", "FEW", "claims"]

AllResults = Mapping[str, Results]

FEW = 3
"""Below this many splits nothing is decided."""

EQUAL = 0.03
"""Accuracies that differ by less are "about equal": the paper's on Internet Ads span 2.6 points."""

EARLY = 3
"""The first rounds, or features, of a search."""

TOP = 20
"""A filter's first features."""


def claims(results: AllResults) -> list[Finding]:
    """All findings, claim by claim."""
    rules: tuple[Callable[[AllResults], Iterator[Finding]], ...] = (
        backward_is_best,
        forward_needs_rows,
        forward_beats_the_wrapper,
        power_laws,
        forward_falls,
        backward_rises,
        backward_generalises,
        contributions_rise,
        first_features_agree,
        about_equal_on_ads,
        information_is_best_on_dexter,
    )
    return [finding for rule in rules for finding in rule(results)]


def backward_is_best(results: AllResults) -> Iterator[Finding]:
    """Claim 1: backward CSA is the best on five of seven data sets, second on the others.

    Rule, by data set: at most one other algorithm has a higher mean accuracy, and none is above it with its whole
    interval.
    """
    statement = "Backward CSA is best or second best"
    for study in STUDIES:
        yield _compared(results, study, "1", statement, _backward_rank)


def _backward_rank(one: Results) -> tuple[dict[str, bool], list[Measured]]:
    table = _complete(one, list(COLUMNS))
    others = [column for column in COLUMNS if column != "backward"]
    means = table.mean()
    above = [column for column in others if means[column] > means["backward"]]
    beaten = [column for column in above if _gap(table, "backward", column).high < 0]
    best = max(others, key=lambda column: float(means[column]))
    shown = [_gap(table, "backward", best, f"backward − {COLUMNS[best]}"), Measured("rank", 1 + len(above))]
    return {"at most one is above it": len(above) <= 1, "none is clearly above it": not beaten}, shown


def forward_needs_rows(results: AllResults) -> Iterator[Finding]:
    """Claim 2: forward CSA suffers where data are few (I2000).

    Rule: it is less accurate than backward CSA, with its whole interval.
    """
    yield _pair(results, "i2000", "2", "Forward CSA is worse than backward where rows are few", "backward", "forward")


def forward_beats_the_wrapper(results: AllResults) -> Iterator[Finding]:
    """Claim 3: on Arrhythmia forward CSA with permutations of 20 beats the greedy wrapper, with its whole interval."""
    yield _pair(results, "arrhythmia", "3", "Permutations of 20 beat the greedy wrapper", "forward", "wrapper")


def power_laws(results: AllResults) -> Iterator[Finding]:
    """Claim 4: contributions of the first round follow a power law on every data set.

    Rule: of the first split's backward search, a line explains at least 0.9 of the variance of the log frequency over
    the logarithm of the contribution's size (contributions of 0 have none), and it falls. As everywhere, it is
    judged when `FEW` splits are finished.
    """
    statement = "Contributions follow a power law"
    for study, settings in STUDIES.items():
        head = ("4", statement, settings.title, settings.in_paper)
        rows = results[study].of("backward") if study in results else []
        if not rows:
            yield not_tested(*head, "the study was not run")
            continue
        if len(rows) < FEW:
            yield not_tested(*head, f"{len(rows)} splits are finished, fewer than {FEW}")
            continue
        law = power_law(rows[0]["contributions"])
        shown = (
            Measured("slope", law.slope),
            *([Measured("published", SLOPES[study])] if study in SLOPES else []),
            Measured("R²", law.explained),
            Measured("zeros left out", rows[0]["zero_contributions"] + law.zeros),
        )
        held = {"a line explains it": law.explained >= 0.9, "it falls": law.slope < 0}
        yield _found(head, held, shown, len(rows))


def forward_falls(results: AllResults) -> Iterator[Finding]:
    """Claim 5a: forward contributions fall sharply after the first rounds.

    Rule: the mean contribution of what the first three rounds added is at least twice that of what later rounds added,
    with the whole interval of the ratio's logarithm above log 2.
    """
    statement = "Forward contributions fall sharply after the first rounds"
    for study in STUDIES:
        yield _over_splits(results, study, "5a", statement, "forward", "log ratio", _early_ratio, math.log(2))


def _early_ratio(row: dict[str, Any]) -> float:
    values = _moved_contributions(row)
    if len(values) <= EARLY or np.mean(values[EARLY:]) <= 0 or np.mean(values[:EARLY]) <= 0:
        return math.nan
    return float(np.log(np.mean(values[:EARLY]) / np.mean(values[EARLY:])))


def backward_rises(results: AllResults) -> Iterator[Finding]:
    """Claim 5b: the contributions of what backward rounds drop rise gradually.

    Rule: the rank correlation of round and mean contribution is above 0 with its whole interval.
    """
    statement = "The contributions of dropped features rise from round to round"
    for study in STUDIES:
        yield _over_splits(results, study, "5b", statement, "backward", "rank correlation", _trend, 0.0)


def _trend(row: dict[str, Any]) -> float:
    values = _moved_contributions(row)
    return float(spearmanr(np.arange(len(values)), values).statistic) if len(values) > EARLY else math.nan


def _moved_contributions(row: dict[str, Any]) -> np.ndarray:
    values = np.array(row["rounds"]["contribution"], dtype=float)
    return values[np.isfinite(values)]


def backward_generalises(results: AllResults) -> Iterator[Finding]:
    """Claim 6: backward generalises better: validation exceeds test accuracy less than after forward selection.

    Rule: forward's excess less backward's is above 0 with its whole interval. Only where the final classifier is the
    one inside: else the two accuracies are not of the same thing.
    """
    statement = "Validation accuracy exceeds test accuracy less after backward elimination"
    for study, settings in STUDIES.items():
        if settings.final is None:
            yield _compared(results, study, "6", statement, _excess)


def _excess(one: Results) -> tuple[dict[str, bool], list[Measured]]:
    excess = {column: {row["split"]: _optimism(row) for row in one.of(column)} for column in ("forward", "backward")}
    shared = sorted(set(excess["forward"]) & set(excess["backward"]))
    gaps = np.array([excess["forward"][split] - excess["backward"][split] for split in shared])
    gap = mean_interval("excess, forward − backward", gaps)
    return {"backward's excess is smaller": gap.low > 0}, [gap]


def _optimism(row: dict[str, Any]) -> float:
    return float(row["rounds"]["validation"][-1] - row["accuracy"])


def contributions_rise(results: AllResults) -> Iterator[Finding]:
    """Claim 7: selecting a feature can raise another's contribution (the peaks of figure 3A).

    Rule, where one feature a round is added: in some split the contribution of a feature in the round that adds it is
    above its contribution a round before, by so many standard errors that one such rise among all features of all
    splits would have a probability below 0.05. What differs by rounding only did not rise.
    """
    statement = "Selecting a feature raises another's contribution"
    for study, settings in STUDIES.items():
        if settings.add == 1:
            yield _compared(results, study, "7", statement, _largest_rise)


def _largest_rise(one: Results) -> tuple[dict[str, bool], list[Measured]]:
    steps = [step for row in one.of("forward") for step in row["steps"] if _is_number(step["before"])]
    if not steps:
        return {"two features or more were added": False}, []
    errors = [math.hypot(step["standard_error"], step["before_error"]) for step in steps]
    rises = [step["contribution"] - step["before"] for step in steps]
    scores = [_score(rise, error) for rise, error in zip(rises, errors, strict=True)]
    p = len(scores) * 0.5 * math.erfc(max(scores) / math.sqrt(2))
    shown = [Measured("largest rise", rises[int(np.argmax(scores))]), Measured("in standard errors", max(scores))]
    return {f"it is no chance among {len(scores)}": p < 0.05}, [*shown, Measured("share that rose", _share(rises))]


def _score(rise: float, error: float) -> float:
    """Give a rise in standard errors; all draws of a feature may be worth the same, and then there are none."""
    if rise <= NOTHING and error <= NOTHING:
        return 0.0
    return rise / error if error > 0 else math.inf


def _share(rises: list[float]) -> float:
    return float(np.mean(np.array(rises) > NOTHING))


def _is_number(value: Any) -> bool:
    return value is not None and math.isfinite(value)


def first_features_agree(results: AllResults) -> Iterator[Finding]:
    """Claim 8: the first features agree with those of filters and forests, later ones do not.

    Rule, where one feature a round is added: the share of the first three features that are among the first twenty of
    any of the three filters is above that share of the later ones, with its whole interval.
    """
    statement = "The first features are those of filters and forests, later ones are not"
    for study, settings in STUDIES.items():
        if settings.add == 1:
            yield _compared(results, study, "8", statement, _agreement)


def _agreement(one: Results) -> tuple[dict[str, bool], list[Measured]]:
    names = ("pearson", "mutual-information", "forest")
    tops = {name: {row["split"]: row["ranking"][:TOP] for row in one.of(name)} for name in names}
    gaps = []
    for row in one.of("forward"):
        selected = row["selected"]
        if len(selected) > EARLY and all(row["split"] in tops[name] for name in names):
            known = np.isin(selected, [column for name in names for column in tops[name][row["split"]]])
            gaps.append(known[:EARLY].mean() - known[EARLY:].mean())
    if len(gaps) < FEW:
        return {"searches went beyond three features": False}, []
    gap = mean_interval("share among the first, early − late", np.array(gaps))
    return {"early features are known to the filters more often": gap.low > 0}, [gap]


def about_equal_on_ads(results: AllResults) -> Iterator[Finding]:
    """Claim 9: on Internet Ads all algorithms but the wrapper are about equal.

    Rule: the means span less than `EQUAL`.
    """
    for study in ("internet-ads-binary", "internet-ads-first998"):
        yield _compared(results, study, "9", "On Internet Ads all are about equal", _span)


def _span(one: Results) -> tuple[dict[str, bool], list[Measured]]:
    means = _complete(one, [column for column in COLUMNS if column != "wrapper"]).mean()
    span = float(means.max() - means.min())
    return {f"they span less than {EQUAL}": span < EQUAL}, [Measured("span", span)]


def information_is_best_on_dexter(results: AllResults) -> Iterator[Finding]:
    """Claim 10: on Dexter the filter by mutual information is best.

    Rule: it has the highest mean accuracy.
    """
    yield _compared(results, "dexter", "10", "On Dexter mutual information is best", _information_first)


def _information_first(one: Results) -> tuple[dict[str, bool], list[Measured]]:
    table = _complete(one, list(COLUMNS))
    means = table.mean()
    others = means.drop("mutual-information")
    best = str(others.idxmax())
    gap = _gap(table, "mutual-information", best, f"mutual information − {COLUMNS[best]}")
    return {"its mean is the highest": bool(means["mutual-information"] > others.max())}, [gap]


def _complete(one: Results, columns: list[str]) -> Any:
    """Accuracies of the splits that all these columns have."""
    table = one.table("accuracy").reindex(columns=columns)
    return table.dropna()


def _gap(table: Any, first: str, second: str, name: str = "difference") -> Measured:
    return mean_interval(name, (table[first] - table[second]).to_numpy())


def _pair(results: AllResults, study: str, claim: str, statement: str, higher: str, lower: str) -> Finding:
    def rule(one: Results) -> tuple[dict[str, bool], list[Measured]]:
        gap = _gap(_complete(one, [higher, lower]), higher, lower, f"{COLUMNS[higher]} − {COLUMNS[lower]}")
        return {"it is above 0": gap.low > 0}, [gap]

    return _compared(results, study, claim, statement, rule)


Rule = Callable[[Results], tuple[dict[str, bool], list[Measured]]]

_NEEDED = {"1": list(COLUMNS), "2": ["forward", "backward"], "3": ["forward", "wrapper"], "6": ["forward", "backward"]}
_NEEDED |= {"7": ["forward"], "8": ["forward", "pearson", "mutual-information", "forest"]}
_NEEDED |= {"9": [column for column in COLUMNS if column != "wrapper"], "10": list(COLUMNS)}


def _compared(results: AllResults, study: str, claim: str, statement: str, rule: Rule) -> Finding:
    head = (claim, statement, STUDIES[study].title, STUDIES[study].in_paper)
    if study not in results:
        return not_tested(*head, "the study was not run")
    splits = len(_complete(results[study], _NEEDED[claim]))
    if splits < FEW:
        return not_tested(*head, f"{splits} splits are finished, fewer than {FEW}")
    held, shown = rule(results[study])
    return _found(head, held, tuple(shown), splits)


def _over_splits(
    results: AllResults,
    study: str,
    claim: str,
    statement: str,
    column: str,
    name: str,
    measure: Callable[[dict[str, Any]], float],
    border: float,
) -> Finding:
    """A number of each split's search is above a border, with its whole interval."""
    head = (claim, statement, STUDIES[study].title, STUDIES[study].in_paper)
    rows = results[study].of(column) if study in results else []
    numbers = np.array([measure(row) for row in rows])
    known = numbers[np.isfinite(numbers)]
    if len(known) < FEW:
        reason = "the study was not run" if not rows else f"{len(known)} splits have rounds enough, fewer than {FEW}"
        return not_tested(*head, reason)
    interval = mean_interval(name, known)
    return _found(head, {f"it is above {border:.2g}": interval.low > border}, (interval,), len(known))


def _found(
    head: tuple[str, str, str, bool], held: dict[str, bool], shown: tuple[Measured, ...], splits: int
) -> Finding:
    verdict: Verdict = "reproduced" if all(held.values()) else "not reproduced"
    reason = "; ".join(words if kept else f"not shown that {words}" for words, kept in held.items())
    return Finding(*head, verdict, reason, shown, splits)
