"""What makes pages of the site out of what is written for the repository (`make docs`).

Pages and pictures that stand above `docs` come along; links to what has no place in the site, such
as a module, become plain text; and fences that say what a block is for the tests lose that.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent
ABOVE = ("CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md")
"""Pages beside `docs` that are in the site, where they are there."""
INSTEAD = {
    "README.md": "docs/index.md",
    "LICENSE": "LICENSE.md",
    "NOTICE": "LICENSE.md",
    "src/affray/core/rules/ruleset.py": "docs/reference/ruleset.md",
    "src/affray/core/rules/tables.py": "docs/reference/core.md",
}
"""What stands in the site for a file beside `docs`."""
LEFT_OUT = ("campaigns", "src", "tests")
"""Folders to which pages link that are not in the site: such a link becomes plain text."""
NOT_SEARCHED = ("reference/", "rules/", "faults.md", "measurements.md", "CHANGELOG.md")
"""Pages, or folders of them, that the site's search leaves out: their words are everywhere."""
BOOSTS = {"At the table": 3.0, "For developers": 0.5}
"""Parts of the site whose pages the search lists before, or after, those of the others."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#]*)(#[^)]*)?\)")
ROW = re.compile(r"^\|.*$", re.M)
CODE = re.compile(r"(`+).+?\1")
FENCE = re.compile(r"^```(\w[^\n]*)$", re.M)
EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.M)
HIGHLIGHTED = ("console", "python", "pycon", "sh", "text", "toml", "yaml")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what stands above `docs`: pages, the licence, and each picture that a page shows."""
    for name in ABOVE:
        if (ROOT / name).exists():
            above = File.generated(config, name, abs_src_path=str(ROOT / name))
            above.inclusion = InclusionLevel.NOT_IN_NAV  # mkdocs.yml says which of them are
            files.append(above)
    licence, notice = ((ROOT / name).read_text("utf-8") for name in ("LICENSE", "NOTICE"))
    text = f"# Licence and notices\n\n{notice}\n```text\n{licence}```\n"
    files.append(File.generated(config, "LICENSE.md", content=text))
    shown = {
        path
        for file in files.documentation_pages()
        for _, _, target, _ in LINK.findall(file.content_string)
        if (path := _in_repository(file.src_uri, target)).startswith("screenshots/")
    }
    for path in sorted(shown):
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return the page with links that lead on in the site, and fences that it understands."""
    here = page.file.src_uri
    if here.startswith(NOT_SEARCHED):
        page.meta["search"] = {"exclude": True}
    elif page.ancestors and page.ancestors[-1].title in BOOSTS:
        page.meta["search"] = {"boost": BOOSTS[page.ancestors[-1].title]}

    def linked(found: re.Match[str]) -> str:
        mark, text, target, anchor = found.groups(default="")
        path = _in_repository(here, target)
        if path in INSTEAD:
            path, anchor = INSTEAD[path], ""
        if path.split("/")[0] in LEFT_OUT:
            return text
        path = path.removeprefix("docs/")
        return f"{mark}[{text}]({posixpath.relpath(path, posixpath.dirname(here))}{anchor})"

    markdown = ROW.sub(lambda row: CODE.sub(_without_escapes, row[0]), markdown)
    return FENCE.sub(_fence, LINK.sub(linked, markdown))


def _without_escapes(code: re.Match[str]) -> str:
    """Code in the row of a table, where `\\|` is two letters in the site, and one elsewhere."""
    return code[0].replace("\\|", "|")


def _in_repository(page: str, target: str) -> str:
    """The path from the repository's folder to what a page's link leads to."""
    folder = "" if page in ABOVE else posixpath.join("docs", posixpath.dirname(page))
    return posixpath.normpath(posixpath.join(folder, target))


def _fence(found: re.Match[str]) -> str:
    """The head of a block: `every game refused` is text, `toml a/b.toml` TOML with that title."""
    kind, _, rest = found[1].partition(" ")
    if kind not in HIGHLIGHTED:
        return "```text"
    return f'```{kind} title="{rest}"' if "." in rest else f"```{kind}"


class Docstrings(griffe.Extension):
    """Has docstrings read as Markdown, though they are written for an editor and for doctest."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of what has been read."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(
                r"```pycon\n\g<0>\n```", _with_lists(obj.docstring.value)
            )


def _with_lists(docstring: str) -> str:
    """Make a list of the fields that stand in two columns: `name  what it is`."""
    lines: list[str] = []
    indent = ""
    for line in docstring.splitlines():
        row = re.match(r" {0,3}([`\w]\S*(?:, \S+)*)\s{2,}(?=\S)", line)
        if row is not None:
            if not indent and lines and lines[-1]:
                lines.append("")
            indent = " " * row.end()
            names = ", ".join(f"`{name.strip('`')}`" for name in row[1].split(", "))
            lines.append(f"- {names}: {line[row.end() :]}")
        elif indent and line.startswith(indent):
            lines.append(f"  {line.strip()}")
        else:
            lines += ["", line] if indent else [line]
            indent = ""
    return "\n".join(lines)
