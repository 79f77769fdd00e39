"""benchopt's base classes where it is installed, else just enough of them for the runner of this folder."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from typing import Any

try:
    from benchopt import BaseDataset, BaseObjective, BaseSolver
except ImportError:

    class _Parametrised:
        name: str
        parameters: dict[str, list[Any]] = {}  # noqa: RUF012

        def __init__(self, **values: Any) -> None:
            for key, choices in self.parameters.items():
                setattr(self, key, values.get(key, choices[0]))

        @classmethod
        def grid(cls) -> list[dict[str, Any]]:
            return [dict(zip(cls.parameters, row, strict=True)) for row in itertools.product(*cls.parameters.values())]

    class BaseDataset(_Parametrised, ABC):  # type: ignore[no-redef]
        @abstractmethod
        def get_data(self) -> dict[str, Any]:
            """Give what an objective is set with."""

    class BaseObjective(_Parametrised):  # type: ignore[no-redef]
        pass

    class BaseSolver(_Parametrised):  # type: ignore[no-redef]
        sampling_strategy = "run_once"


__all__ = ["BaseDataset", "BaseObjective", "BaseSolver"]
