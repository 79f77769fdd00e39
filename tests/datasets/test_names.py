"""The package's names are found on first use, and heavy libraries only then."""

import subprocess
import sys

import pytest

import fselect.datasets


@pytest.mark.parametrize("name", fselect.datasets.__all__)
def test_every_promised_name_is_there(name):
    assert getattr(fselect.datasets, name).__module__.startswith("fselect.datasets.")


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'read_tabel'"):
        fselect.datasets.read_tabel  # noqa: B018


def test_the_options_alone_do_not_load_pandas_or_pyarrow():
    heavy = "bool({'pandas', 'pyarrow'} & set(sys.modules))"
    code = f"import sys; from fselect.datasets.options import DataOptions; sys.exit({heavy})"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
