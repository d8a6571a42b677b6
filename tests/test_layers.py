"""How the parts hang together: what is loaded when, and what is named in two places."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import platformdirs
import pytest

from affray.rulesets import BUILT_IN, GROUP

ROOT = Path(__file__).parents[1]
ABOUT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
INNER = {
    contract["containers"][0]: contract["layers"]
    for contract in ABOUT["tool"]["importlinter"]["contracts"]
    if contract["name"].startswith("Inside ")
}
"""The layers inside each package that has some, from the top down."""
HEADLESS = [
    "import affray.core",
    "import affray.mechanics",
    "import affray.rulesets.monsters_and_magic",
    "import affray.rulesets.orcus",
    "import affray.rulesets.level_up",
    "import affray.rulesets.adventure_school",
    "import affray.store",
    "import affray.cli_commands",
    "import affray.cli",
    "import affray.new_ruleset",
]

_REPORT = """
import sys
print(*sorted({name.partition('.')[0] for name in sys.modules} & {'textual', 'rich', 'tomlkit'}))
"""


@pytest.mark.parametrize("snippet", HEADLESS)
def test_what_is_headless_loads_neither_textual_nor_what_edits_toml(snippet: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", snippet + _REPORT], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == []


@pytest.mark.parametrize("package", INNER)
def test_each_module_has_one_place_in_the_layers_of_its_package(package: str) -> None:
    placed = [module for layer in INNER[package] for module in layer.split(" | ")]
    folder = ROOT.joinpath("src", *package.split("."))
    modules = [
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in folder.rglob("*.py")
        if path.name != "__init__.py"
    ]
    assert sorted(placed) == sorted(modules)


def test_each_package_has_layers() -> None:
    """But those that are so small that they need none."""
    small = {"affray.odds", "affray.serve", "affray.rulesets.plain"}
    packages = {
        ".".join(("affray", *path.parent.relative_to(ROOT / "src" / "affray").parts))
        for path in (ROOT / "src" / "affray").glob("*/**/__init__.py")
    }
    without = {p for p in packages if not any(f"{p}.".startswith(f"{inner}.") for inner in INNER)}
    assert without - small == {"affray.rulesets", "affray.tui"}  # they have layers of packages


def test_no_imports_go_round_in_a_circle_not_even_those_for_types() -> None:
    """import-linter sees only those that leave a layer; this one sees all of them."""
    assert in_circles(_imports()) == set()


def in_circles(imports: Mapping[str, set[str]]) -> set[str]:
    """The modules that import themselves by way of others."""

    def reached(module: str) -> set[str]:
        found: set[str] = set()
        left = [*imports[module]]
        while left:
            each = left.pop()
            if each not in found:
                found.add(each)
                left += imports[each]
        return found

    return {module for module in imports if module in reached(module)}


def _imports() -> dict[str, set[str]]:
    """What each module imports of the package, wherever in it that stands."""
    root = ROOT / "src"
    modules = {
        ".".join((*path.parent.relative_to(root).parts, path.stem)).removesuffix(".__init__"): path
        for path in (root / "affray").rglob("*.py")
    }
    return {
        name: {found for found in _imported_by(path, modules) if found != name}
        for name, path in modules.items()
    }


def _imported_by(path: Path, modules: Collection[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in modules:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in modules else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)


def test_a_circle_would_be_found() -> None:
    assert in_circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == {"b", "c"}
    assert in_circles({"a": {"b"}, "b": {"c"}, "c": set()}) == set()


def test_no_package_hides_one_of_its_modules() -> None:
    """A name that an `__init__` imports from elsewhere is found in place of its own module."""
    hidden = []
    for path in (ROOT / "src" / "affray").rglob("__init__.py"):
        own = ".".join(path.parent.relative_to(ROOT / "src").parts)
        modules = {other.stem for other in path.parent.glob("*.py")}
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module != own:
                names = {alias.asname or alias.name for alias in node.names}
                hidden += [f"{own}.{name}" for name in names & modules]
    assert hidden == []


def test_the_rulesets_that_come_along_are_those_that_the_package_offers() -> None:
    offered = ABOUT["project"]["entry-points"][GROUP]
    assert {name: f"{module}:RULESET" for name, module in BUILT_IN.items()} == offered


def test_the_users_folders_bear_no_authors_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from affray.store.campaigns.find import campaign_folders
    from affray.tui.keymap import config_folder

    asked = []

    def folder(name: str, appauthor: object = None) -> Path:
        asked.append((name, appauthor))
        return Path(name)

    monkeypatch.setattr(platformdirs, "user_config_dir", folder)
    monkeypatch.setattr(platformdirs, "user_data_path", folder)
    monkeypatch.delenv("AFFRAY_CAMPAIGNS", raising=False)
    campaign_folders(), config_folder()
    assert asked == [("affray", False)] * 2


_LOADED = """
print(*sorted(name for name in sys.modules if name.startswith('affray')))
print(*sorted({name.partition('.')[0] for name in sys.modules} & {'json', 'secrets', 'string'}))
"""


def _loaded_by(snippet: str) -> tuple[list[str], list[str]]:
    run = subprocess.run(
        [sys.executable, "-c", f"import sys\n{snippet}\n{_LOADED}"],
        capture_output=True,
        text=True,
        check=True,
    )
    ours, others = run.stdout.splitlines()[-2:]
    return ours.split(), others.split()


def test_a_fight_that_is_shown_loads_its_own_game_and_no_importer_server_or_other_game() -> None:
    fight = "campaigns/drowned-vale/encounters/the-sluice-gate.toml"
    ours, others = _loaded_by(f"from affray.cli import main; main(['show', {fight!r}])")
    games = {name.split(".")[2] for name in ours if name.startswith("affray.rulesets.")}
    assert games == {"monsters_and_magic"}
    unneeded = ("import", "serve", "odds", "play", "tui", "manage", "recap", "roster")
    assert [name for name in ours if name.split(".")[-1].startswith(unneeded)] == []
    assert others == []


def test_the_fights_screen_loads_no_list_before_it_is_opened() -> None:
    ours, _ = _loaded_by("import affray.tui.app")
    assert [name for name in ours if name.endswith((".reference", ".roster", ".home"))] == []
    assert "affray.core.rules.imported_creature" not in ours
