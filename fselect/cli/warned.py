"""Which warnings are printed at a prompt."""

from __future__ import annotations

from pathlib import Path

__all__ = ["is_for_users"]

_PACKAGE = Path(__file__).parent.parent
_DEPRECATIONS = (DeprecationWarning, PendingDeprecationWarning)


def is_for_users(category: type[Warning], filename: str) -> bool:
    """Tell whether a warning can be acted on at a prompt: what one dependency says of another's code cannot.

    Parameters
    ----------
    category : type
        The class of the warning.
    filename : str
        The file whose code it is about.

    Returns
    -------
    bool
        False for deprecations (those of libraries are subclasses) outside of this package.

    Examples
    --------
    >>> is_for_users(DeprecationWarning, "mlflow/store.py"), is_for_users(UserWarning, "mlflow/store.py")
    (False, True)
    >>> is_for_users(DeprecationWarning, __file__)
    True
    """
    return not issubclass(category, _DEPRECATIONS) or Path(filename).is_relative_to(_PACKAGE)
