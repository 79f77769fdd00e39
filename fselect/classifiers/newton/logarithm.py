"""Natural logarithms of a whole array in compiled code, many numbers at a time."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.arrays import vector
from fselect.kernel import inner

__all__ = ["take_logarithms"]

_ROOT_HALF = 0x3FE6A09E667F3BCD  # the bits of √½
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # the first with zeros at its end
_LEAST = 2.2250738585072014e-308  # what is smaller has no exponent of its own


@inner
def take_logarithms(x: np.ndarray) -> None:
    """Overwrite numbers that are not negative with their logarithms, right to the last digits; 0 gives -inf.

    With x = f 2ᵉ and f from √½ to √2, log x = e log 2 + 2 artanh s where s = (f - 1) / (f + 1) is below 0.172,
    so that eleven terms of the series suffice. Loops without calls and branches run on all lanes of the
    processor, where the C library's function takes one number at a time.
    """
    bits, exponent = x.view(np.int64), vector(x.size)
    for i in range(x.size):
        e = (bits[i] - _ROOT_HALF) >> 52 if x[i] >= _LEAST else -1100
        exponent[i] = float(e)
        bits[i] = bits[i] - (e << 52)
    for i in range(x.size):
        s = (x[i] - 1.0) / (x[i] + 1.0)
        q = s * s
        series = q * (1 / 19 + q * (1 / 21 + q * (1 / 23)))
        series = q * (1 / 13 + q * (1 / 15 + q * (1 / 17 + series)))
        series = q * (1 / 7 + q * (1 / 9 + q * (1 / 11 + series)))
        series = q * (1 / 3 + q * (1 / 5 + series))
        e = exponent[i]
        value = e * _LN2_HIGH + (2.0 * s + (2.0 * s * series + e * _LN2_LOW))
        x[i] = value if e > -1100.0 else -np.inf
