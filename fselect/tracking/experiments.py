"""A study's experiment in MLflow: its artifact folder, what its numbers mean, and the columns of its list."""

from __future__ import annotations

import json

from fselect.tracking.connection import Store

__all__ = ["DIGEST", "VIEW", "experiment_id"]

DIGEST = "fselect.digest"

VIEW = "fselect"
"""Name of the shared view that shows the columns of a trade-off in MLflow's run list."""

_NOTE_TAG = "mlflow.note.content"

_NOTE = """\
Feature selection with **fselect**: one run a point of the accuracy–stability trade-off, one run a front.

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
| `curve/…` | a front point by point, from no bias to the strongest |

Accuracy and stability describe the procedure; the set in `set.json` is the one made from all rows.
"""

_METRICS = (
    *("accuracy", "stability", "dominance_area", "strength", "shape", "n_features"),
    *("accuracy_se", "stability_se", "dominance_area_low", "dominance_area_high"),
)
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
        return str(store.client.create_experiment(study, store.artifact_location, wanted))
    if found.lifecycle_stage == "deleted":
        store.client.restore_experiment(found.experiment_id)
    for key, value in wanted.items():
        kept = key == _NOTE_TAG and key in found.tags  # a note may have been edited in the browser
        if not kept and found.tags.get(key) != value:
            store.client.set_experiment_tag(found.experiment_id, key, value)
    return str(found.experiment_id)


def _tags() -> dict[str, str]:
    columns = [f"metrics.`{name}`" for name in _METRICS]
    widths = {column: 90 + 5 * max(len(column) - 20, 0) for column in columns}
    view = {"selectedColumns": columns, "columnOrder": [*_FIRST, *columns], "columnWidths": widths}
    return {
        _NOTE_TAG: _NOTE,
        "mlflow.experimentKind": "custom_model_development",
        f"mlflow.sharedViewState.{VIEW}": json.dumps(view),
    }
