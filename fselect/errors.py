"""The two errors that users meet: bad input, and a missing optional dependency."""

from __future__ import annotations

__all__ = ["InputError", "MissingExtra"]


class InputError(ValueError):
    """Input that cannot be used, told in one sentence with the way out.

    The command line prints the sentence and ends with exit code 2; in Python it is a ``ValueError``.

    Examples
    --------
    >>> raise InputError("no column 'target' in a.csv; it has x0, x1")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: no column 'target' in a.csv; it has x0, x1
    """


class MissingExtra(InputError):  # noqa: N818 - it is told as input: what is asked for needs more than is there
    """A package of an optional extra is not installed.

    Parameters
    ----------
    package : str
        The import that failed.
    extra : str
        The extra of fselect-pipeline that installs it.

    Examples
    --------
    >>> print(MissingExtra("mlflow", extra="pipeline"))
    mlflow is not installed; install it with: pip install 'fselect-pipeline[pipeline]'
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed; install it with: pip install 'fselect-pipeline[{extra}]'")
