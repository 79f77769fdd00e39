"""What people see of a study: the page, its plots, and the outcome on a terminal.

Modules
-------
page
    One self-contained HTML page a study; its text is made in ``sections``, its HTML in ``markup``.
plots
    The plots for paper (``static``) and to point at (``interactive``); ``picture`` says what is on them.
console
    The outcome on a terminal.
"""

import logging

# Where HOME cannot be written matplotlib says so in two lines, and works; the page is none the worse for it.
logging.getLogger("matplotlib").setLevel(logging.ERROR)
