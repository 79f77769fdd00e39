"""Made-up tables of which one knows what matters, one model a file."""

from fselect.datasets.synthetic.corral import make_corral
from fselect.datasets.synthetic.disjunction import make_disjunction
from fselect.datasets.synthetic.gmonks import make_gmonks
from fselect.datasets.synthetic.microarray import make_microarray
from fselect.datasets.synthetic.monks import make_monks
from fselect.datasets.synthetic.parity import make_parity, make_parity5plus5

__all__ = [
    "make_corral",
    "make_disjunction",
    "make_gmonks",
    "make_microarray",
    "make_monks",
    "make_parity",
    "make_parity5plus5",
]
