"""ReliefF's weights by two outside implementations on data without ties.

skrebate 0.8.4: ``ReliefF(n_neighbors=k)``; fast-select 0.3.0, in single precision: the same with ``backend="cpu"``.
skrebate weights the misses of several classes otherwise, so that three classes have fast-select's values only.
The tables: ``rng = np.random.default_rng(2002)``, then as in `tables`.
"""

from __future__ import annotations

import numpy as np


def tables() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Two classes and three, of columns without ties."""
    rng = np.random.default_rng(2002)
    two = rng.normal(size=(60, 6))
    labels = (two[:, 0] + 0.5 * two[:, 3] + 0.3 * rng.normal(size=60) > 0).astype(int)
    three, classes = rng.normal(size=(75, 5)), np.repeat([0, 1, 2], [35, 25, 15])
    three[:, 1] += classes
    three[:, 4] -= 0.5 * (classes == 2)
    return {"two": (two, labels), "three": (three, classes)}


SKREBATE = {
    ("two", 1): [
        0.10354001919151448,
        0.017648681139586644,
        0.023820737632633926,
        -0.0013791314594286683,
        0.004593254837293706,
        0.01682774358069606,
    ],
    ("two", 10): [
        0.11213175850886559,
        -0.005732702638601745,
        -0.0025305364933084517,
        0.023791536448520063,
        -0.00591297285950914,
        -0.010093880705066102,
    ],
}

FAST_SELECT = {
    ("two", 1): [
        0.10354003310203552,
        0.017648685723543167,
        0.02382073923945427,
        -0.0013791329693049192,
        0.004593254532665014,
        0.016827745363116264,
    ],
    ("two", 10): [
        0.1121317446231842,
        -0.005732701625674963,
        -0.002530532656237483,
        0.023791546002030373,
        -0.005912973545491695,
        -0.010093878023326397,
    ],
    ("three", 1): [
        0.0036101024597883224,
        0.06071088835597038,
        0.008285175077617168,
        -0.007112673483788967,
        -0.007504296489059925,
    ],
    ("three", 10): [
        0.003695417195558548,
        0.07625885307788849,
        0.006361471023410559,
        -0.0006917202845215797,
        0.006625933572649956,
    ],
}
