"""The pages of a study that are files, in Chromium without a network: their tables as text."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SWITCHES = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")


class Tables(HTMLParser):
    """All tables of a document: rows of cells, as text."""

    def __init__(self):
        super().__init__()
        self.tables, self._open = [], False

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.tables:
            self.tables[-1][-1].append("")
            self._open = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self._open = False

    def handle_data(self, data):
        if self._open:
            self.tables[-1][-1][-1] += data


def document_of(path, profile):
    """The document after its scripts ran; names are resolved by nobody, so nothing comes from a network."""
    options = [f"--user-data-dir={profile}", "--virtual-time-budget=4000", "--host-resolver-rules=MAP * ~NOTFOUND"]
    command = [BROWSER, *SWITCHES, *options, "--dump-dom", path.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def table_with(document, header):
    """The rows of the first table whose head has a column of that name, as dictionaries."""
    reader = Tables()
    reader.feed(re.sub(r"(?s)<script.*?</script>", "", document))
    head, *rows = next(table for table in reader.tables if header in table[0])
    return [dict(zip(head, row, strict=True)) for row in rows]
