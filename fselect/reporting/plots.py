"""The plots of a study: for paper and pages without scripts (matplotlib), and to point at (plotly).

Both libraries belong to the extra ``pipeline`` and are imported when a plot is drawn.
"""

from __future__ import annotations

from fselect.reporting.interactive import front_plotly, heat_plotly
from fselect.reporting.static import front_figure, heat_figure

__all__ = ["front_figure", "front_plotly", "heat_figure", "heat_plotly"]
