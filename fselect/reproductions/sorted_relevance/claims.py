"""The claims of Boz (2002) as functions of results.

Every rule below was written before any of the studies was run; single searches on one cut of the made tables had been
seen. Comparisons are paired: all searches see the same folds in a repetition, so differences are taken repetition by
repetition and get Student's interval of the level `LEVEL`. All repetitions cut the same rows, so it is a statement
about this table rather than about new samples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from fselect.reproductions.cells import Results
from fselect.reproductions.evidence import Finding, Measured, Verdict, mean_interval, not_tested
from fselect.reproductions.sorted_relevance.published import PUBLISHED
from fselect.reproductions.sorted_relevance.settings import SEARCHES, STUDIES

__all__ = ["FEW", "claims"]

AllResults = Mapping[str, Results]
Judged = tuple[dict[str, bool], list[Measured]]

FEW = 3
"""Below this many repetitions nothing is decided."""

RIVALS = ("sfs-es", "sfs-ta", "sbe-es", "sbe-ta")

WORTHLESS = {"vote", "labor", "soybean"}
"""Where counting did not help the sorted search."""

TARGETS = {"corral": ((0, 1, 2, 3), 13.0), "parity5plus5": ((0, 1, 2, 3, 4), 63.0)}
"""The relevant features, and the size of their tree."""


def claims(results: AllResults) -> list[Finding]:
    """All findings, claim by claim."""
    rules: tuple[Callable[[AllResults], Iterator[Finding]], ...] = (
        beats_the_full_set,
        finds_the_relevant,
        forward_fails_on_parity,
        others_stop_elsewhere,
        has_fewer_states,
        beats_its_rivals,
        counting_helps,
        counting_does_not_help_sorted,
    )
    return [finding for rule in rules for finding in rule(results)]


def beats_the_full_set(results: AllResults) -> Iterator[Finding]:
    """Claim 1: the counted set of NS beats all features on all eight tables.

    Rule, by table: the difference of accuracies is above 0 with its whole interval.
    """

    def judge(one: Results) -> Judged:
        gap = _gap(one, "neighbour", "final_accuracy", "neighbour", "all_accuracy", "NS-FS − all")
        return {"the counted set is more accurate": gap.low > 0}, [gap]

    for study in STUDIES:
        yield _finding(results, study, "1", "NS-FS is more accurate than all features", judge)


def finds_the_relevant(results: AllResults) -> Iterator[Finding]:
    """Claim 2: NS finds the relevant features, with fewer states than SBE.

    Rule: in every repetition its counted set is the relevant features and their trees have the size they must have; the
    states are fewer than those of SBE-ES and SBE-TA with the whole interval.
    """
    for study, (relevant, size) in TARGETS.items():

        def judge(one: Results, relevant: tuple[int, ...] = relevant, size: float = size) -> Judged:
            rows = one.of("neighbour")
            gaps = [_states(one, rival) for rival in ("sbe-es", "sbe-ta")]
            checks = {
                "it finds them": all(tuple(row["selected"]) == relevant for row in rows),
                f"trees have {size:g} nodes": all(row["final_tree_size"] == size for row in rows),
                "it tests fewer states than both": all(gap.high < 0 for gap in gaps),
            }
            return checks, [mean_interval("states", _values(rows, "states")), *gaps]

        yield _finding(results, study, "2a", "NS finds the relevant features with fewer states than SBE", judge)


def forward_fails_on_parity(results: AllResults) -> Iterator[Finding]:
    """Claim 2, second half: SFS does not find the five features of the parity.

    Rule: in most repetitions neither SFS-ES nor SFS-TA has exactly these in its counted set.
    """

    def judge(one: Results) -> Judged:
        shares = [
            float(np.mean([tuple(row["selected"]) == TARGETS["parity5plus5"][0] for row in one.of(search)]))
            for search in ("sfs-es", "sfs-ta")
        ]
        told = [Measured(f"{SEARCHES[name]} finds", share) for name, share in zip(RIVALS[:2], shares, strict=True)]
        return {"neither finds them in most repetitions": max(shares) < 0.5}, told

    yield _finding(results, "parity5plus5", "2b", "SFS does not find the features of the parity", judge)


def others_stop_elsewhere(results: AllResults) -> Iterator[Finding]:
    """Claim 3: on CorrAL the sorted search alone stops at 111101, SFS-ES at 011001.

    Rule: these are the most frequent counted sets. (f0 … f3 are alike: 011001 stands for f5 with any two of them that
    are not of one pair.)
    """

    def sorted_alone(one: Results) -> Judged:
        top, share = _most_frequent(one, "sorted")
        return {"111101 is the most frequent": top == (0, 1, 2, 3, 5)}, [Measured(_bits(top), share)]

    def forward(one: Results) -> Judged:
        top, share = _most_frequent(one, "sfs-es")
        of_either = len(top) == 3 and top[2] == 5 and top[0] in (0, 1) and top[1] in (2, 3)
        return {"f5 with one of each pair is the most frequent": of_either}, [Measured(_bits(top), share)]

    yield _finding(results, "corral", "3a", "The sorted search alone stops at 111101", sorted_alone)
    yield _finding(results, "corral", "3b", "SFS-ES stops at 011001", forward)


def has_fewer_states(results: AllResults) -> Iterator[Finding]:
    """Claim 4: NS tests fewer states than both TA on all tables, than SBE-ES on seven, than SFS-ES on four.

    Rule, by table: against each of the four, the difference has the sign of the published one, with its whole interval.
    """
    for study in STUDIES:
        published = PUBLISHED[study]
        signs = {name: published["neighbour"][0].states < published[name][0].states for name in RIVALS}

        def judge(one: Results, signs: dict[str, bool] = signs) -> Judged:
            gaps = {name: _states(one, name) for name in RIVALS}
            checks = {
                f"{'fewer' if signs[name] else 'more'} than {SEARCHES[name]}": (
                    gap.high < 0 if signs[name] else gap.low > 0
                )
                for name, gap in gaps.items()
            }
            return checks, list(gaps.values())

        yield _finding(results, study, "4", "NS tests fewer states than others, or more, as published", judge)


def beats_its_rivals(results: AllResults) -> Iterator[Finding]:
    """Claim 5: the counted set of NS is at least as accurate as those of SFS and SBE, but on the votes.

    Rule, by table: the mean is no lower than any of the four; on Heart-C it is two points above each; on the votes it
    is below one of them at least.
    """
    for study in STUDIES:

        def judge(one: Results, study: str = study) -> Judged:
            gaps = [
                _gap(one, "neighbour", "final_accuracy", rival, "final_accuracy", f"NS − {SEARCHES[rival]}")
                for rival in RIVALS
            ]
            least = min(gap.value for gap in gaps)
            if study == "vote":
                return {"one of them is more accurate": least < 0}, gaps
            if study == "heart-c":
                return {"it is two points above each": least > 0.02}, gaps
            return {"none has a higher mean": least >= 0}, gaps

        yield _finding(results, study, "5", "NS-FS is as accurate as SFS-FS and SBE-FS or more, but on Vote", judge)


def counting_helps(results: AllResults) -> Iterator[Finding]:
    """Claim 6: the counted set is more accurate than the folds' own sets for NS on seven tables, equal on the parity.

    Rule, by table: the difference is above 0 with its whole interval; on the parity it is 0.
    """
    for study in STUDIES:

        def judge(one: Results, study: str = study) -> Judged:
            gap = _counting(one, "neighbour")
            if study == "parity5plus5":
                return {"they are equal": gap.value == 0}, [gap]
            return {"the counted set is more accurate": gap.low > 0}, [gap]

        yield _finding(results, study, "6a", "NS-FS is more accurate than NS-IS", judge)


def counting_does_not_help_sorted(results: AllResults) -> Iterator[Finding]:
    """Claim 6, second half: for SS counting brings nothing on vote, labor and soybean.

    Rule: the mean difference is not above 0.
    """

    def judge(one: Results) -> Judged:
        gap = _counting(one, "sorted")
        return {"the counted set is not more accurate": gap.value <= 0}, [gap]

    for study in STUDIES:
        if study in WORTHLESS:
            yield _finding(results, study, "6b", "SS-FS is not more accurate than SS-IS", judge)


def _finding(
    results: AllResults, study: str, claim: str, statement: str, judge: Callable[[Results], Judged]
) -> Finding:
    title = STUDIES[study].title
    if study not in results:
        return not_tested(claim, statement, title, True, "the study was not run")
    one = _complete(results[study])
    repeats = len(one.of("neighbour"))
    if repeats < FEW:
        return not_tested(claim, statement, title, True, f"{repeats} whole repetitions are too few; {FEW} are needed")
    checks, measured = judge(one)
    failed = [what for what, holds in checks.items() if not holds]
    reason = "not shown: " + "; ".join(failed) if failed else "; ".join(checks)
    verdict: Verdict = "not reproduced" if failed else "reproduced"
    return Finding(claim, statement, title, True, verdict, reason, tuple(measured), repeats)


def _complete(one: Results) -> Results:
    """Keep the repetitions of which all searches are finished."""
    there = Counter(int(row["split"]) for row in one.rows)
    kept = tuple(row for row in one.rows if there[int(row["split"])] == len(SEARCHES))
    return Results(one.study, kept, one.wanted)


def _values(rows: Sequence[Mapping[str, float]], name: str) -> np.ndarray:
    return np.array([float(row[name]) for row in rows])


def _gap(one: Results, search: str, name: str, other: str, other_name: str, told: str) -> Measured:
    return mean_interval(told, _values(one.of(search), name) - _values(one.of(other), other_name))


def _states(one: Results, rival: str) -> Measured:
    return _gap(one, "neighbour", "states", rival, "states", f"states, NS − {SEARCHES[rival]}")


def _counting(one: Results, search: str) -> Measured:
    return _gap(one, search, "final_accuracy", search, "own_accuracy", f"{SEARCHES[search]}, FS − IS")


def _most_frequent(one: Results, search: str) -> tuple[tuple[int, ...], float]:
    rows = one.of(search)
    (top, count), *_ = Counter(tuple(int(column) for column in row["selected"]) for row in rows).most_common(1)
    return top, count / len(rows)


def _bits(columns: Sequence[int]) -> str:
    return "share of " + "".join("1" if column in columns else "0" for column in range(6))
