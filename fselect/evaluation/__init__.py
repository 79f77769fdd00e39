"""What a selection is worth: stability, accuracy, the front of both, and how sure one can be of them.

Modules
-------
stability
    Stability of feature sets with its interval and tests, and the measures of older papers.
pareto
    Pareto front, dominance area and the interval that confidence ellipses give it.
comparison
    Bootstrap interval of a dominance area, and the paired comparison of two methods.
operating_point
    Rules that choose one point of a front and say why.
metrics
    Accuracy, balanced accuracy and area under the ROC curve on plain arrays.
"""
