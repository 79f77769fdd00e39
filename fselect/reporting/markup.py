"""HTML that is escaped unless it was built here: names from tables and users cannot become markup."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

__all__ = ["Html", "element", "embedded_json", "joined", "table"]

_VOID = {"img", "meta", "br"}


class Html(str):
    """Text that is HTML already.

    Examples
    --------
    >>> element("p", Html("<b>bold</b>"), " & plain")
    '<p><b>bold</b> &amp; plain</p>'
    """

    __slots__ = ()


def element(tag: str, *children: object, **attributes: object) -> Html:
    """Return an element; children and attributes are escaped, unless a child is Html.

    Parameters
    ----------
    tag : str
        Its name.
    *children : object
        Html, or anything else, which is escaped as text.
    **attributes : object
        Attributes; ``class_`` for class, an underscore inside a name for a hyphen.

    Returns
    -------
    Html
        The element.

    Examples
    --------
    >>> element("td", "<script>", class_="name")
    '<td class="name">&lt;script&gt;</td>'
    """
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items()
    )
    return Html(f"<{tag}{given}>" if tag in _VOID else f"<{tag}{given}>{joined(children)}</{tag}>")


def joined(parts: Iterable[object]) -> Html:
    """Return the parts one after the other, each escaped unless it is Html.

    Parameters
    ----------
    parts : iterable of object
        Html or text.

    Returns
    -------
    Html
        All of them.

    Examples
    --------
    >>> joined([element("b", "x"), " < y"])
    '<b>x</b> &lt; y'
    """
    return Html("".join(part if isinstance(part, Html) else escape(str(part)) for part in parts))


def table(
    headers: Sequence[object], rows: Iterable[Sequence[object]], *, text_columns: int = 1, **attributes: object
) -> Html:
    """Return a table.

    Parameters
    ----------
    headers : sequence of object
        Column titles.
    rows : iterable of sequence of object
        Cells, escaped unless Html.
    text_columns : int, default=1
        How many of the first columns are text; the others are numbers, to the right.
    **attributes : object
        Attributes of the table.

    Returns
    -------
    Html
        The table in a frame that scrolls where the window is narrow.

    Examples
    --------
    >>> "&lt;b&gt;" in table(["name", "value"], [["<b>", 1]])
    True
    """

    def cells(tag: str, row: Sequence[object]) -> Html:
        classes = ["text" if place < text_columns else "number" for place in range(len(row))]
        return joined(element(tag, cell, class_=kind) for cell, kind in zip(row, classes, strict=True))

    head = element("thead", element("tr", cells("th", headers)))
    body = element("tbody", joined(element("tr", cells("td", row)) for row in rows))
    return element("div", element("table", head, body, **attributes), class_="wide")


def embedded_json(value: Any) -> Html:
    r"""Return JSON that cannot end the script element it stands in.

    Parameters
    ----------
    value : object
        JSON-able.

    Returns
    -------
    Html
        The JSON, with ``<``, ``>`` and ``&`` as escapes.

    Examples
    --------
    >>> print(embedded_json("</script>"))
    "\u003c/script\u003e"
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, sort_keys=True)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Html(text)
