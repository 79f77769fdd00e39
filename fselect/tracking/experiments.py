"""A study's experiment in MLflow: its artifact folder, what its numbers mean, and the columns of its list."""

from __future__ import annotations

import json

from fselect.tracking.connection import Store

__all__ = ["DIGEST", "TRAINING", "VIEW", "experiment_id", "runs_address"]

DIGEST = "fselect.digest"

VIEW = "fselect"
"""Name of the shared view that shows the columns of a trade-off in MLflow's run list."""

TRAINING = "workflowType=machine_learning"
"""MLflow opens in its mode for language-model applications; this is the other one."""

_NOTE_TAG = "mlflow.note.content"

_NOTE = """\
Feature selection with **fselect**: one run a point of the accuracy–stability trade-off, one run a front. \
[Show the list with these numbers as columns]({address}).

| metric | meaning |
|---|---|
| `accuracy` | mean over the repeats, on rows that took no part in the selection |
| `stability` | agreement of repeated selections: 1 is always the same set, 0 is what chance gives |
| `…_se` | standard error of that mean |
| `balanced_accuracy`, `roc_auc` | further means; where undefined, the tag `fselect.undefined` names them |
| `strength` | bias of a transfer study: 0 is none |
| `shape` | bias of a single-task study: small is strong, absent is none |
| `n_features` | features in a set |
| `dominance_area`, `…_low`, `…_high` | area of the unit square that the front dominates, and its interval |
| `dominance_area_bootstrap_…` | the same interval by another way, from repeats drawn again |
| `curve/…` | a front point by point, from no bias to the strongest |
| `champion_accuracy`, `unbiased_accuracy` | of a challenger's task, on the same bootstraps: the champion's set as it \
is, and a selection without bias |
| `…_difference`, `…_low` | the challenger's accuracy less that, and its one-sided lower limit |

Accuracy and stability describe the procedure; the set in `set.json` is the one made from all rows. The source of a run
names its study as it was then (the tag `fselect.digest`) and the version of its data (DVC's hash): only runs with the
same are one trade-off. The tag `fselect.operating_point` marks the chosen point; `fselect.decision` \
and `fselect.reasons` are what the gate said of a challenger. The page of a study is `report.html` of its first front.
"""

_METRICS = (
    *("accuracy", "stability", "dominance_area", "strength", "shape", "n_features"),
    *("accuracy_se", "stability_se", "dominance_area_low", "dominance_area_high"),
)
_TAGS = ("fselect.operating_point", "fselect.dvc_hash", "fselect.digest", "fselect.decision")
_FIRST = ("0", "attributes.`Run Name`", "runDateAndNestInfo", "duration")


def experiment_id(store: Store, study: str, digest: str | None = None) -> str:
    """Find or create the experiment of a study.

    An experiment that was deleted in the browser is restored, because MLflow keeps its name taken.

    Parameters
    ----------
    store : Store
        Where; its lock is held by the caller.
    study : str
        Name of the study, and of the experiment.
    digest : str, optional
        Hash of the study as it is now; the experiment notes it, so that ``STUDY/LABEL`` means today's run even where
        a later variant was tried and given up.

    Returns
    -------
    str
        MLflow's id of the experiment.
    """
    wanted = _tags() | ({DIGEST: digest} if digest else {})
    found = store.client.get_experiment_by_name(study)
    if found is None:
        made = str(store.client.create_experiment(study, store.artifact_location, wanted))
        store.client.set_experiment_tag(made, _NOTE_TAG, _note(made))
        return made
    if found.lifecycle_stage == "deleted":
        store.client.restore_experiment(found.experiment_id)
    if _NOTE_TAG not in found.tags:  # a note may have been edited in the browser
        wanted[_NOTE_TAG] = _note(found.experiment_id)
    for key, value in wanted.items():
        if found.tags.get(key) != value:
            store.client.set_experiment_tag(found.experiment_id, key, value)
    return str(found.experiment_id)


def _note(experiment: str) -> str:
    """What the numbers mean; MLflow shows it above the list, and its first line always."""
    return _NOTE.format(address=runs_address(experiment))


def runs_address(experiment: str) -> str:
    """The run list with the columns of a trade-off, as an address within MLflow's page.

    Examples
    --------
    >>> runs_address("1")
    '#/experiments/1/runs?workflowType=machine_learning&viewStateShareKey=fselect'
    """
    return f"#/experiments/{experiment}/runs?{TRAINING}&viewStateShareKey={VIEW}"


def _tags() -> dict[str, str]:
    columns = [f"metrics.`{name}`" for name in _METRICS[:3]]
    columns += [f"tags.`{name}`" for name in _TAGS]
    columns += [f"metrics.`{name}`" for name in _METRICS[3:]]
    widths = {column: 90 + 5 * max(len(column) - 20, 0) for column in columns}
    view = {"selectedColumns": columns, "columnOrder": [*_FIRST, *columns], "columnWidths": widths}
    return {
        "mlflow.experimentKind": "custom_model_development",
        f"mlflow.sharedViewState.{VIEW}": json.dumps(view),
    }
