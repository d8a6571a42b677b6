"""The map of the code: every package and module with the first sentence of its docstring.

`make map` prints it; `make map OF=mechanics` what lies in one package.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src" / "affray"


def map_lines(folder: Path = SOURCES) -> Iterator[str]:
    """A line for each module, by folders: its path, how long it is, and what it is for."""
    for path in sorted(folder.rglob("*.py"), key=lambda p: (p.parent, p.name)):
        text = path.read_text("utf-8")
        purpose = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].replace("\n", " ")
        if purpose:
            name = path.relative_to(SOURCES).as_posix()
            yield f"{name:52} {len(text.splitlines()):4}  {purpose}"


if __name__ == "__main__":
    print(*map_lines(SOURCES.joinpath(*sys.argv[1:2])), sep="\n")
