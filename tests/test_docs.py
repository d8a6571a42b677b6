"""What the documents say is so: every command is there, every example runs, every link leads on.

test_readme.py has what is asked of the README alone.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tests import docs_tables
from tests.test_words import retired_words

import affray
from affray.cli import main
from affray.core.dice import SeededDice
from affray.core.engine.decide import commands_of
from affray.core.parser.errors import Refused
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.keymap import keymap_for

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
COMMANDS = [DOCS / "commands.md", *sorted((DOCS / "commands").glob("*.md"))]
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
BESIDE = [
    ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md", "SECURITY.md")
]
RULES = docs_tables.RULES
EVERY_GAME = "every game"


def blocks(kind: str) -> list[list[str]]:
    """The lines of each fenced block of that kind in the pages of commands."""
    pages = "\n".join(page.read_text("utf-8") for page in COMMANDS)
    found = re.findall(rf"^```{kind}\n(.*?)^```", pages, re.M | re.S)
    return [block.splitlines() for block in found]


def examples(kind: str = "") -> list[tuple[str, list[str]]]:
    """Each block with the rules it is for; those for every game with each of them."""
    own = [(rules, lines) for rules in RULES for lines in blocks(f"{rules}{kind}")]
    own += [(rules, lines) for rules in RULES for lines in blocks(f"{EVERY_GAME}{kind}")]
    free = [rules for rules in RULES if not load_ruleset(rules).only_order]
    return own + [(rules, lines) for rules in free for lines in blocks(f"every order{kind}")]


def named(example: tuple[str, object]) -> str:
    """What a test of an example is called: its rules, and the first line."""
    rules, lines = example
    return f"{rules}: {lines[0] if isinstance(lines, list) else lines}"


def begin(rules: str, folder: Path) -> OpenEncounter:
    """The fight in which the examples play."""
    (folder / "encounters").mkdir()
    (folder / "campaign.toml").write_text(f'ruleset = "{rules}"\n', "utf-8")
    house = [line for block in blocks(f"toml {rules} rules") for line in block]
    (folder / "rules.toml").write_text("\n".join(house), "utf-8")
    (party,) = blocks(f"toml {EVERY_GAME} party")
    (folder / "party.toml").write_text("\n".join(party), "utf-8")
    path = folder / "encounters" / "fight.toml"
    opened = OpenEncounter.create(path, rules, "Examples", SeededDice(2))
    (setup,) = blocks(f"{rules} setup")
    for line in setup:
        opened.do(line)
    return opened


@pytest.mark.parametrize("example", examples(), ids=named)
def test_the_examples_run(example: tuple[str, list[str]], tmp_path: Path) -> None:
    rules, lines = example
    with begin(rules, tmp_path) as fight:
        for line in lines:
            if fight.ask(line) is None:
                fight.do(line)


@pytest.mark.parametrize(
    "example", [(rules, line) for rules, lines in examples(" refused") for line in lines], ids=named
)
def test_what_is_said_to_be_refused_is(example: tuple[str, str], tmp_path: Path) -> None:
    rules, line = example
    with begin(rules, tmp_path) as fight, pytest.raises(Refused):
        fight.do(line)


@pytest.mark.parametrize("rules", RULES)
def test_every_command_stands_once_with_its_usage(rules: str) -> None:
    """In the page of its game, or that of every game, and nowhere beside its row."""
    ruleset = load_ruleset(rules)
    own = (DOCS / "commands" / f"{rules}.md").read_text("utf-8")
    shared = (DOCS / "commands.md").read_text("utf-8")
    wrong = []
    for verb in commands_of(ruleset).values():
        page = own if verb.name in ruleset.commands else shared
        first = verb.usage.split(f" | {verb.name} ")[0].replace("|", "\\|")
        lines = [line for line in page.splitlines() if f"`{first}`" in line]
        rows = [line for line in lines if line.startswith(f"| `{first}`")]
        told_again = " " in first and len(lines) > len(rows)  # a word alone may be named
        wrong += [verb.name] if len(rows) != 1 or told_again else []
    assert wrong == []


@pytest.mark.parametrize("rules", RULES)
def test_every_command_has_an_example(rules: str) -> None:
    shown = {line.split()[0] for owner, lines in examples() if owner == rules for line in lines}
    (setup,) = blocks(f"{rules} setup")
    shown |= {line.split()[0] for line in setup}
    ruleset = load_ruleset(rules)
    shown |= set() if ruleset.settings else {"setting"}  # there is none to choose
    shown |= {"finish"} if ruleset.only_order else set()  # there is no side that acts at once
    assert set(commands_of(ruleset)) - shown == set()


@pytest.mark.parametrize("page", [*PAGES, *BESIDE], ids=lambda page: page.name)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text("utf-8")):
        path, _, heading = target.partition("#")
        other = (page.parent / path) if path else page
        assert other.exists(), target
        if heading:
            assert heading in headings(other), target


def headings(page: Path) -> set[str]:
    lines = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", line.casefold()).replace(" ", "-") for line in lines}


@pytest.mark.parametrize("rules", RULES)
def test_the_tests_that_are_named_exist(rules: str) -> None:
    page = (DOCS / "rules" / f"{rules}.md").read_text("utf-8")
    held_by = set(re.findall(r"`(test_\w+)`", page))
    tests = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert held_by
    assert held_by - set(re.findall(r"def (test_\w+)", tests)) == set()


@pytest.mark.parametrize("name", docs_tables.MADE)
def test_each_table_is_what_its_source_says(name: str) -> None:
    path, text = docs_tables.page_with(name)
    assert path.read_text("utf-8") == text, "`make tables` writes it anew"


def test_every_key_of_every_game_stands_in_the_page_of_keys() -> None:
    shared, by_game = docs_tables.shared_keys(), docs_tables.game_keys()
    for game in RULES:
        for pressed in keymap_for(load_ruleset(game)).by_key:
            key = docs_tables.key_in_page(pressed)
            assert pressed.isdecimal() or (key in shared) != (f"| {key} |" in by_game), key


AT_THE_TABLE = ("reliability", "performance", "updating", "backup", "mouse", "not-found")
"""Pages for a game master who wants an answer now."""


@pytest.mark.parametrize("name", AT_THE_TABLE)
def test_a_page_that_answers_one_question_is_short(name: str) -> None:
    assert len((DOCS / f"{name}.md").read_text("utf-8").split()) <= 600


def test_the_site_has_a_part_for_each_kind_of_reader_and_all_pages() -> None:
    text = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    assert re.findall(r"^  - ([^:\n]+):", text, re.M) == [
        *("Start here", "At the table", "For tinkerers", "For developers"),
    ]
    listed = re.findall(r"- ([\w/.-]+\.md)$", text, re.M)
    assert len(listed) == len(set(listed))
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")} - {"index.md"}
    assert pages <= set(listed)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_page_begins_with_what_it_is_for(page: Path) -> None:
    """A title and a sentence, before any table, list, block or picture."""
    title, blank, begins, *_ = page.read_text("utf-8").splitlines()
    assert title.startswith("# ") and blank == ""
    assert re.match(r"[`\w]", begins) and not begins.startswith("```"), begins


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lists_within_lists_are_read_alike_everywhere(page: Path) -> None:
    """By four spaces: the site of docs takes fewer for the same list."""
    assert re.findall(r"^ {1,3}(?:[-*]|\d+\.) .*", page.read_text("utf-8"), re.M) == []


def commands_of_the_page(page: Path) -> list[list[str]]:
    """What it has typed in a shell, in its order, but for what opens a screen or writes a file."""
    blocks = "\n".join(re.findall(r"^```\w*\n(.*?)^```", page.read_text("utf-8"), re.M | re.S))
    lines = re.findall(r"^affray (.+?)(?:  .*)?$", blocks, re.M)
    given = [shlex.split(line) for line in lines if ">" not in line]
    on_a_screen = ("watch", "play", "quick", "demo", "--theme", "--debug", "ford.toml")
    return [args for args in given if args[0] not in on_a_screen]


TYPED = (
    "README",
    "first-evening",
    "shell",
    "monsters-and-magic",
    "5e",
    "orcus",
    "level-up",
    "adventure-school",
)
"""The pages whose commands are typed as they stand there."""


@pytest.mark.parametrize(
    "page",
    [p for p in PAGES if p.stem in TYPED and p.parent in (ROOT, DOCS)],
    ids=lambda page: page.stem,
)
def test_the_commands_of_the_page_run_in_their_order(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "creatures.csv").write_text("name,hp,ac\nGhoul,18,2\n", "utf-8")
    given = commands_of_the_page(page)
    assert given
    assert [args for args in given if main(args) != 0] == []


def test_the_reference_has_what_is_public() -> None:
    """All that scripts are offered, and each module that a rule system may import."""
    pages = [page.read_text("utf-8") for page in (DOCS / "reference").glob("*.md")]
    there = set(re.findall(r"^::: (\S+)$", "\n".join(pages), re.M))
    allowed = (DOCS / "write-a-ruleset.md").read_text("utf-8").split("## What may be imported")[1]
    modules = re.findall(r"`(affray\.[\w.]+)`", allowed)
    assert len(modules) > 20
    offered = [f"affray.{name}" for name in dir(import_module("affray")) if name[0] != "_"]
    assert [name for name in (*modules, *offered) if name not in there] == []


PACKAGE = ROOT / "src" / "affray"
SOURCES = {path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.py")}
ARCHITECTURE = (DOCS / "architecture.md").read_text("utf-8")
GLOSSARY = (DOCS / "glossary.md").read_text("utf-8")
OF_OTHERS = ("my_game/", "affray_hedge.py", "affray_hedge_campaign.py")
"""What paths in the documents begin with that lead to files of the reader's own."""


def test_the_page_on_architecture_names_each_package() -> None:
    folders = {Path(source).parent for source in SOURCES} - {Path("src/affray")}
    words = set(re.findall(r"\w+", ARCHITECTURE))
    assert [str(folder) for folder in sorted(folders) if folder.name not in words] == []


def test_the_page_on_architecture_is_one_page() -> None:
    assert len(ARCHITECTURE.splitlines()) <= 90
    assert len(ARCHITECTURE.split()) <= 1150


@pytest.mark.parametrize("page", [*PAGES, *BESIDE], ids=lambda page: page.name)
def test_each_path_to_the_code_leads_somewhere(page: Path) -> None:
    """Paths stand as code, and begin where the repository, `src` or the package does, or where the
    path before them in the line ends."""
    tops = {path.name for path in (*ROOT.iterdir(), *PACKAGE.iterdir()) if path.is_dir()}
    missing = []
    for path in re.findall(r"`([\w./-]+/[\w./-]+|[\w-]+\.py)`", page.read_text("utf-8")):
        is_ours = path.split("/")[0] in tops or path.endswith(".py")
        if is_ours and not path.startswith(OF_OTHERS) and not _leads_somewhere(path):
            missing.append(path)
    assert missing == []


def _leads_somewhere(path: str) -> bool:
    if "/" not in path:
        return (ROOT / path).exists() or any(s.endswith(f"/{path}") for s in SOURCES)
    return any((top / path).exists() for top in (ROOT, PACKAGE.parent, PACKAGE))


def test_each_module_and_name_of_affray_in_the_documents_is_there() -> None:
    """`affray.core.engine.state.Combatant`, in text as in examples that nothing runs."""
    for page in (*PAGES, ROOT / "CONTRIBUTING.md"):
        text = page.read_text("utf-8")
        dotted = set(re.findall(r"\baffray(?:\.[a-z]\w*)+(?:\.[A-Z]\w*)?", text))
        imports = re.findall(r"^(?:>>> )?from (affray[\w.]*) import ([\w, ]+)$", text, re.M)
        dotted |= {f"{module}.{name}" for module, names in imports for name in names.split(", ")}
        assert [name for name in sorted(dotted) if not _is_of_affray(name)] == []


def _is_of_affray(name: str) -> bool:
    """Whether a dotted name is a module, a name in one, or no name in Python at all."""
    if name in NO_MODULES:
        return True
    found: object = affray
    path = ""
    for part in name.split("."):
        path = f"{path}.{part}".removeprefix(".")
        try:
            found = getattr(found, part) if hasattr(found, part) else import_module(path)
        except ImportError:
            return False
    return True


NO_MODULES = {"affray.toml", "affray.rulesets", "affray.importers", "affray.bash", "affray.fish"}


def glossary_rows() -> list[list[str]]:
    """The rows of the words in code."""
    rows = re.findall(r"^\| (.+) \|$", GLOSSARY.split("\n## Words in code\n")[1], re.M)
    return [row.split(" | ") for row in rows][1:]


def told_by_hand(page: Path) -> str:
    """What stands in a page but for code, and for tables that are made from the program."""
    text = re.sub(
        r"^<!-- (.+?): `make.*?<!-- \1: end", "", page.read_text("utf-8"), flags=re.M | re.S
    )
    return re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.M | re.S)


@pytest.mark.parametrize("page", [*PAGES, *BESIDE], ids=lambda page: page.name)
def test_no_page_says_a_retired_word(page: Path) -> None:
    """Words that no game master uses, and clauses in the place of a person or a thing."""
    text = told_by_hand(page)
    if page.name == "glossary.md":
        text = text.split("\n## Words in code\n")[1]
    found = re.findall(rf"\b(?:{'|'.join(retired_words())})\b", text, re.I)
    riddles = (
        r"^(?:[-*] (?:\*\*)?)?(?:Who|Of what|What is not|Whoever) (?:is|has|are|isn't)\b[^?\n]*$"
    )
    riddles += r"|(?<=[.;:] )(?:Who|Of what|Whoever) (?:is|has|are|isn't) [^?\n]*"
    assert [*found, *re.findall(riddles, text, re.M)] == []


def test_the_terms_of_the_glossary_stand_in_order_and_once() -> None:
    terms = [row[0].casefold() for row in glossary_rows()]
    assert len(terms) > 60
    assert terms == sorted(set(terms))


@pytest.mark.parametrize("row", glossary_rows(), ids=lambda row: row[0])
def test_each_place_that_the_glossary_names_is_there(row: list[str]) -> None:
    _term, meaning, places = row
    assert meaning
    found = re.findall(r"`([\w/]+\.py)`(?: `(\w+)`)?", places)
    assert found or re.fullmatch(r"`[\w/]+`", places)
    for path, name in found:
        code = (PACKAGE / path).read_text("utf-8")
        assert not name or re.search(rf"^(?:class |def )?{name}\b", code, re.M), name


def test_each_module_begins_by_saying_what_it_is_for() -> None:
    assert [s for s in sorted(SOURCES) if not (ROOT / s).read_bytes().startswith(b'"""')] == []


def test_the_changelog_is_a_page_for_users() -> None:
    """Whoever adds a sentence takes out what it replaces."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = text.split("\n## ")[1:]
    assert sections and max(len(section.split()) for section in sections) <= 1200


# -- sources: docs/sources.md and docs/rulings ----------------------------------------------------

RULINGS = {
    "Every game": "every-game",
    "Monsters & Magic": "monsters-and-magic",
    "SRD 5.2.1": "5e",
    "SRD 5.1": "5e",
    "Orcus": "orcus",
    "Level Up": "level-up",
    "Adventure School": "adventure-school",
}
"""The page of rulings of each source."""
ABOUT = {
    "monsters[-_]and[-_]magic": "monsters-and-magic",
    "fifth|5e": "5e",
    "orcus": "orcus",
    "level[-_]up": "level-up",
    "adventure[-_]school": "adventure-school",
}
"""What in a file's path says that it is about one game."""
LACKED = re.compile(r"\b[Ss]eeds? [0]\d\d\b|\bDESIG[N]\b|\b[Rr]ules [f]ile\b|\bR\d+[:;,)]")
"""Citations of documents that nobody has beside the repository."""
RULING = re.compile(r"\brulings? (\d+(?:(?:, | and | to )\d+)*)")


def citing() -> list[Path]:
    """The files of the repository that may cite a rule."""
    kinds = {".py", ".toml", ".md"}
    found = [
        path
        for folder in ("src", "tests", "docs", "benchmarks", "campaigns")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in kinds and not {"__snapshots__", "corpus", "fuzz"} & set(path.parts)
    ]
    return sorted([*found, *ROOT.glob("*.md")])


def sources() -> set[str]:
    """The names of docs/sources.md."""
    return set(re.findall(r"\*\*([^*]+)\*\*", (DOCS / "sources.md").read_text("utf-8")))


def rulings_of(page: str) -> list[int]:
    text = (DOCS / "rulings" / f"{page}.md").read_text("utf-8")
    return [int(number) for number in re.findall(r"^(\d+)\. ", text, re.M)]


def ruled(path: Path, text: str) -> Iterator[tuple[str, int]]:
    """Each ruling that a file cites: the page where it should stand, and its number."""
    about = next(
        (page for part, page in ABOUT.items() if re.search(part, str(path.relative_to(ROOT)))), None
    )
    named = {name.casefold(): page for name, page in RULINGS.items()}
    for found in RULING.finditer(text):
        before = " ".join(text[max(0, found.start() - 150) : found.start()].casefold().split())
        cited = re.findall(f"({'|'.join(named)}), ", f"{before} ")
        page = named[cited[-1]] if cited else about
        assert page, f"{path.name}: {found[0]} of which game?"
        yield from ((page, int(number)) for number in re.findall(r"\d+", found[1]))


def test_nothing_cites_a_document_that_contributors_lack() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {hit[0]}"
        for path in citing()
        for hit in LACKED.finditer(path.read_text("utf-8"))
    ]
    assert found == [], "docs/sources.md says how a rule is cited"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests/cases").glob("*.toml")), ids=lambda p: p.stem
)
def test_each_case_names_a_source_of_the_page(path: Path) -> None:
    listed = sources()
    for case in tomllib.loads(path.read_text("utf-8"))["case"]:
        assert case.keys() - {"seed"} == case.keys(), f"{case['name']}: it is `source` now"
        name = case["source"].partition(",")[0].partition(";")[0]
        assert name in listed | {"Every game"}, case["source"]


def test_each_source_of_the_rules_is_cited() -> None:
    text = "\n".join(path.read_text("utf-8") for path in citing() if path.parent.name != "docs")
    assert {name for name in sources() if f"{name}, " not in text} == {"the creature's own text"}


@pytest.mark.parametrize("page", sorted(set(RULINGS.values())))
def test_the_rulings_of_a_page_are_numbered_in_a_row(page: str) -> None:
    numbers = rulings_of(page)
    assert numbers == list(range(1, len(numbers) + 1))


def test_each_ruling_that_is_cited_stands_in_the_page_of_its_game() -> None:
    pages = {page: set(rulings_of(page)) for page in RULINGS.values()}
    cited = [
        (path, page, number)
        for path in citing()
        for page, number in ruled(path, path.read_text("utf-8"))
    ]
    assert len(cited) > 300
    assert [(p.name, page, n) for p, page, n in cited if n not in pages[page]] == []
