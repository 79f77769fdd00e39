"""The documents of a registered version: its files, fetched from where they lie."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from fselect.errors import InputError
from fselect.registry.registration import EVIDENCE
from fselect.tracking import Store
from fselect.tracking.describe import SCHEMA
from fselect.tracking.probe import probe

__all__ = ["download", "evidence_of", "read_evidence", "read_schema"]


def download(store: Store, version: Any, folder: str, path: str = "") -> Path:
    """Fetch a version's files from where they lie; models:/NAME/3 would ask MLflow's global address.

    Parameters
    ----------
    store : Store
        Where the version is registered.
    version : mlflow.entities.model_registry.ModelVersion
        The version.
    folder : str
        Where to.
    path : str
        One file of it. Default: all.

    Returns
    -------
    Path

    Raises
    ------
    InputError
        They are gone, or not to be reached.
    """
    from mlflow.artifacts import download_artifacts
    from mlflow.exceptions import MlflowException

    source = store.client.get_model_version_download_uri(version.name, version.version)
    try:
        uri = f"{source.rstrip('/')}/{path}" if path else source
        return Path(download_artifacts(artifact_uri=uri, dst_path=folder, tracking_uri=store.uri))
    except (MlflowException, OSError) as error:
        probe(store.uri)  # a server that is away is no reason to promote again
        reason = " ".join(str(error).split())[:200]
        what = f"version {version.version} of {version.name!r}"
        raise InputError(f"the files of {what} cannot be read: {reason}; promote it again") from None


def evidence_of(place: Path, reference: str) -> dict[str, Any]:
    """Read the evidence among a version's files.

    Raises
    ------
    InputError
        There is none, or it is no evidence.
    """
    try:
        found = json.loads((place / EVIDENCE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise InputError(f"{reference!r} is a registered model but no set that fselect promoted") from None
    if not (isinstance(found, dict) and isinstance(found.get("features"), list)):
        raise InputError(f"{reference!r} is a registered model but no set that fselect promoted")
    return found


def read_evidence(store: Store, version: Any) -> dict[str, Any]:
    """Read the evidence of a version.

    Raises
    ------
    InputError
        The files cannot be read, or the version is no promoted set.
    """
    with tempfile.TemporaryDirectory() as folder:
        return evidence_of(download(store, version, folder), f"{version.name}@{version.version}")


def read_schema(store: Store, version: Any) -> dict[str, Any] | None:
    """Read the schema of a version; None where it was registered without one."""
    with tempfile.TemporaryDirectory() as folder:
        place = download(store, version, folder) / SCHEMA
        if not place.is_file():
            return None
        found: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
        return found
