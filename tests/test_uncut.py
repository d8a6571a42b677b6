"""No sentence is taken apart again: what is said is made of pieces, each rendered for its medium.

Wherever words are shown or said, the only text that is cut is what somebody types or wrote, ids,
and lines that are too long for their row. `MODULES` and `FUNCTIONS` name these places, by why.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "affray"
WORDS = [
    *sorted((SOURCE / "core" / "formatting").rglob("*.py")),
    *sorted((SOURCE / "tui").rglob("*.py")),
    *sorted((SOURCE / "play").rglob("*.py")),
]
CUTS = {
    *("split", "rsplit", "splitlines", "partition", "rpartition", "removeprefix", "removesuffix"),
    *("startswith", "endswith", "replace", "translate"),
    *("match", "fullmatch", "search", "sub", "findall", "finditer"),
}
"""The methods of texts and patterns that cut a text, or look what it begins or ends with."""

MODULES = {
    "what is typed: keys, commands, names that are looked for": (
        *("tui/keymap.py", "tui/palette.py", "tui/terminal.py", "tui/lookup", "tui/prompts"),
        *("play/questions.py", "play/vocabulary.py"),
    ),
    "text made safe for a terminal, and names made ids": ("core/formatting/safe_text.py",),
    "colours by name": ("tui/theme.py",),
}
FUNCTIONS = {
    "a title, which a command writes and a log keeps, begins or ends with what a piece would say": (
        *("log_lines._begins", "log_lines._without_told", "log_lines.without_turn"),
        *("prompt.rest_rows",),
    ),
    "a title of a log lists many people, whose number is heard in their place": (
        *("spoken_answers._counted_names", "spoken_answers._counted_names.counted"),
    ),
    "a note that a log keeps as one text, as far as a row has room": (
        *("turn_order_columns.called_in_a_row", "turn_order_columns.note_in_a_row"),
    ),
    "dice that a log keeps with their sign have one as numbers have": ("effects._written_words",),
    "a note that begins with its effect's name is told without it": ("timers._name",),
    "a text that has its full stop gets no second one": ("spoken_lines.sentence",),
    "no ear hears the marks around a command": ("media.without_marks",),
    "a text of the rules and a refusal, as their authors wrote them, have their signs in words": (
        *("media.prose_aloud", "media.prose_aloud.in_words"),
    ),
    "a track whose label ends as its line begins: `left: attacks 1`": (
        *("spoken_lines._within_action", "technique_cells._price"),
    ),
    "what waits begins as the line on its turn does: `Mira is dying`": (
        "reader.Reader._what_it_asks",
    ),
    "ids, and words of tables, which have hyphens": (
        *("effects._by_amount", "effects._named", "explain._on_bearer", "recap._called"),
        *("players_view.outcome_as_known", "reports._sheet_combatant", "reports._numbers"),
        *("pieces.roll_aloud", "timers.gm_lines"),
        *("media.without_hyphens",),
    ),
    "what is counted in a log: a technique's id, and which of one's own it was": (
        "turn_summary.spent_by",
    ),
    "the command of an entry": (
        *("log_lines.read_aloud_texts", "turn_summary._spell_of"),
        *("command_preview.preview_command", "timers.wave_lines"),
    ),
    "what is typed, and what it is compared with: names, ids, keys, labels, usages": (
        *("fight_lookups.FightLookups._begin", "technique_cells._letters"),
        *("fight_prompts.FightPrompts.submit", "fight_prompts.FightPrompts._look_first"),
        *("fight_prompts.FightPrompts.open_bar", "fight_prompts.FightPrompts._carry_out"),
        *("fight_prompts.FightPrompts._show_bar",),
        *("home_dialogs.completed", "home_dialogs.path_of", "home.home_rows"),
        *("reader.Reader.answer", "reader.Reader.complete", "reader.Reader._answer"),
        *("reader.Reader._asked_for", "reader.Reader._command_of_answer"),
        *("reader.Reader._people", "reader.Reader._setting"),
        *(
            "reader.Reader._preview",
            "reader._without_usage",
            "subjects._of_a_word",
            "subjects._about",
        ),
        *("subjects._looked_up", "proposals.Proposals._meant", "proposals.Proposals._named"),
        *("terminal._read_plain", "spoken_lines.answers_line", "spoken_lines.term_lines"),
    ),
    "names that are numbered": (
        *("visibility._series", "drawing.truncate_name", "spoken_answers.names_in_brief"),
    ),
    "a fault of a log names its file with all its folders, and a list the file alone": (
        "home.home_line",
    ),
    "Markdown has signs of its own": (
        *("recap_output.escape_markdown", "recap_output._markdown_bars"),
    ),
    "lines break between words": (
        *("drawing.wrap", "drawing.wrapped_text", "turn_summary._boxes", "technique_grid._shorter"),
    ),
    "numbers as they are drawn: a true minus, smaller digits, a blank between": (
        *("drawing.format_track", "turn_order_rows._standing", "turn_order_rows._member"),
    ),
}


def cuts(path: Path) -> Iterator[str]:
    """The functions of a module that cut texts: `log_lines._begins`."""

    def within(node: ast.AST, place: tuple[str, ...]) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            name = getattr(child, "name", "") if isinstance(child, ast.stmt) else ""
            called = child.func if isinstance(child, ast.Call) and not child.keywords else None
            if isinstance(called, ast.Attribute) and called.attr in CUTS:
                yield ".".join(place)  # `replace` of a struct has keywords
            yield from within(child, (*place, name) if name else place)

    yield from within(ast.parse(path.read_text("utf-8")), (path.stem,))


def allowed_functions() -> set[str]:
    return {name for row in FUNCTIONS.values() for name in row}


@pytest.mark.parametrize("path", WORDS, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_sentence_is_cut(path: Path) -> None:
    here = path.relative_to(SOURCE).as_posix()
    if any(here.startswith(each) for row in MODULES.values() for each in row):
        return
    found = {*cuts(path)} - allowed_functions()
    assert not found, "a sentence is made of pieces (core/formatting/pieces.py), and never cut"


def test_what_may_be_cut_is_still_there() -> None:
    there = {name for path in WORDS for name in cuts(path)}
    assert allowed_functions() <= there


def test_a_cut_is_found_wherever_it_stands(tmp_path: Path) -> None:
    module = tmp_path / "lines.py"
    module.write_text(
        "class Piece:\n    def text(self):\n        return [t.split(': ') for t in self.all]\n"
        "def shown(title):\n    return _ROLL.fullmatch(title)\n"
        "def other(struct):\n    return replace(struct, name='x') or struct.replace(name='y')\n",
        encoding="utf-8",
    )
    assert [*cuts(module)] == ["lines.Piece.text", "lines.shown"]
