"""What Cohen, Ruppin & Dror (2005) report: their table 3, and the slopes of figure 2."""

from __future__ import annotations

__all__ = ["SLOPES", "TABLE_3"]

Entry = tuple[float, int | None]

TABLE_3: dict[str, dict[str, Entry]] = {
    "i2000": {
        "wrapper": (86.3, 550),
        "forward": (86.3, 500),
        "backward": (90.9, 1100),
        "none": (86.3, None),
        "svm": (72.7, None),
        "pearson": (81.8, 260),
        "mutual-information": (90.9, 1060),
        "forest": (86.3, 100),
    },
    "arrhythmia": {
        "wrapper": (70.0, 5),
        "forward": (74.2, 28),
        "backward": (84.2, 21),
        "none": (76.4, None),
        "svm": (80.0, None),
        "pearson": (71.4, 20),
        "mutual-information": (70.0, 20),
        "forest": (80.0, 40),
    },
    "internet-ads": {
        "forward": (95.6, 8),
        "backward": (96.1, 158),
        "none": (94.7, None),
        "svm": (93.5, None),
        "pearson": (94.2, 15),
        "mutual-information": (95.75, 70),
        "forest": (95.6, 10),
    },
    "arcene": {
        "wrapper": (58.0, 7),
        "forward": (81.0, 600),
        "backward": (86.0, 7200),
        "none": (83.0, None),
        "svm": (83.0, None),
        "pearson": (83.0, 6600),
        "mutual-information": (81.0, 5600),
        "forest": (82.0, 6000),
    },
    "dexter": {
        "wrapper": (80.0, 10),
        "forward": (92.6, 100),
        "backward": (93.3, 717),
        "none": (92.6, None),
        "svm": (92.6, None),
        "pearson": (92.6, 1240),
        "mutual-information": (94.0, 230),
        "forest": (93.3, 800),
    },
}
"""Test accuracy in % and number of features; on Internet Ads the wrapper selected nothing."""

SLOPES = {"arrhythmia": -1.21, "dexter": -1.20}
"""Of the logarithm of the frequency against the logarithm of the contribution."""
