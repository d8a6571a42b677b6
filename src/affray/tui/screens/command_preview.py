"""The result of a command before it is given: for the open prompt, and for the command bar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from affray.core.commands.log_commands import MOVES, query_kind
from affray.core.dice import DiceSource
from affray.core.engine import turns
from affray.core.engine.amend import read_edits
from affray.core.engine.decide import Decision
from affray.core.engine.events import Rolled
from affray.core.engine.foresight import Foresight
from affray.core.engine.history import AMEND, Entry
from affray.core.formatting.log_lines import (
    describe_difference,
    entry_line,
    is_called,
    outcome_lines,
)
from affray.core.formatting.pieces import why_in_words
from affray.core.parser.errors import Refused
from affray.tui.fight_view import FightView
from affray.tui.prompts.field import PromptField
from affray.tui.prompts.follow_ups import DecisionPrompt
from affray.tui.prompts.more_field import MoreField
from affray.tui.prompts.preview import MessageKind, PreviewLine, incomplete_text, preview_line
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.several_combatants import CombatantsField
from affray.tui.prompts.value_fields import CommandTailField
from affray.tui.widgets.technique_cells import price_of
from affray.tui.widgets.turn_summary import is_edge, not_to_be_missed

if TYPE_CHECKING:
    from affray.store.open_encounter import OpenEncounter


def preview_command(
    encounter: OpenEncounter,
    line: str,
    typing: bool = False,
    foresight: Foresight | None = None,
    asks: str = "",
    reasons: str = "",
    sides: Mapping[frozenset[str], str] = {},
) -> PreviewLine | None:
    """Preview a line, now or as `foresight` does; None where that can't be done. `asks` stands
    in place of dice that are asked of players, `reasons` for a roll before what it costs, `sides`
    has words for the ids of a whole side."""
    words = line.split()
    command = words[0].casefold() if words else ""
    if command == AMEND:
        return _amendment_ahead(encounter, line, typing)
    if command in MOVES or encounter.is_carried_by(line):
        return _foreseen(encounter, line, typing)
    if not words or query_kind(line):  # a question changes nothing
        return None

    foresight = foresight or Foresight(encounter.preview)
    return _decided_ahead(encounter, line, typing, foresight, asks, reasons, sides)


def _decided_ahead(
    encounter: OpenEncounter,
    line: str,
    typing: bool,
    foresight: Foresight,
    asks: str = "",
    reasons: str = "",
    sides: Mapping[frozenset[str], str] = {},
) -> PreviewLine:
    tracks = encounter.ruleset.tables.tracks

    def preview_lines(decision: Decision) -> list[str]:
        rest = [event for event in decision.events if not is_called(event)]  # these stand first
        comes = outcome_lines(rest, decision.before, tracks, decision.by, sides, paid=False)
        return [*comes, *map(why_in_words, _two_dice(decision))]

    def price(decision: Decision) -> list[str]:
        is_told = not reasons or any(_two_dice(decision))
        return [*([] if is_told else [reasons]), *price_of(decision.events, tracks)]

    seen = preview_line(line, foresight, preview_lines, typing, price, asks)
    decision = foresight(line)
    if isinstance(decision, Refused):
        return seen
    return seen._replace(tells_lean=any(roll.lean for roll in _two_dice(decision)))


def _amendment_ahead(encounter: OpenEncounter, line: str, typing: bool) -> PreviewLine:
    """Preview the amended entry only; enter shows the changes in later entries."""
    try:
        edit = (read_edits(encounter.history, line) or [])[-1]
    except Refused as refusal:
        return incomplete_text(line, refusal, typing)
    if not edit.command:
        ahead = PreviewLine(f"without: {encounter.history.entries[edit.seq].title}")
    else:

        def decide(command: str, dice: DiceSource) -> Decision:
            return encounter.preview_instead(edit.seq, command, dice)

        ahead = _decided_ahead(encounter, edit.command, typing, Foresight(decide))
    if ahead.kind != "info":
        return ahead
    return ahead._replace(says=f"{ahead.text} · enter shows what changes")


def _two_dice(decision: Decision) -> list[Rolled]:
    """The rolls called out with two dice, each with the die that counts and the reason."""
    rolls = (event for event in decision.events if isinstance(event, Rolled))
    return [e for e in rolls if e.by_hand and e.natural is not None and len(e.faces) > 1]


def _foreseen(encounter: OpenEncounter, line: str, typing: bool) -> PreviewLine:
    """Preview a move through the log: its goal, and the entries undone or redone on the way."""
    try:
        return PreviewLine(encounter.preview_command(line) or "", "info")
    except Refused as refusal:
        return incomplete_text(line, refusal, typing)


# -------------------------------------------------------------------------------------------------
# Of a prompt that is open.


def preview_prompt(encounter: OpenEncounter, view: FightView, prompt: Prompt) -> PreviewLine | None:
    """Preview a prompt's command; last, where an enter attacks, the letters of other attacks."""
    seen, letters = _known_first(encounter, view, prompt), prompt.attack_letters
    if seen is None or seen.kind != "info" or not letters:
        return seen
    named = ", ".join(f"{letter} {name}" for letter, name in letters.items())
    return seen._replace(says=f"{seen.says} · after the target: {named}")


def _known_first(encounter: OpenEncounter, view: FightView, prompt: Prompt) -> PreviewLine | None:
    """The preview: first the outcome of a die, or before it falls the facts on the roll."""
    seen, before = _comes_to(encounter, view, prompt), prompt.before_roll
    if not before and prompt.added and (seen is None or seen.kind == "wanted"):
        wanted = seen.text if seen is not None else ""
        return PreviewLine(" · ".join(filter(None, (wanted, prompt.added))), "wanted")
    is_told = seen is not None and (seen.kind == "refused" or seen.tells_lean)
    is_told = is_told or (seen is not None and before in seen.text)
    if not before or is_told:  # of two dice that lie there, what comes of them says why
        return seen
    if seen is None or seen.kind == "wanted":
        return PreviewLine(before, "info")
    lines = [seen.text, before] if prompt.called else [before, seen.text]
    return seen._replace(says=" · ".join(lines))


def _comes_to(encounter: OpenEncounter, view: FightView, prompt: Prompt) -> PreviewLine | None:
    """The preview of a line; of an unfinished one the missing part, of an empty one nothing."""
    if isinstance(prompt, DecisionPrompt):
        return _answers_ahead(encounter, prompt)
    field = prompt.field
    if field is None and not prompt.barred:
        return PreviewLine(prompt.asks_for, "hint")
    if field is None:
        return _way_to_whoever_is_up(view, prompt)
    typing = isinstance(field, CommandTailField) or (_is_open(field) and not field.touched)
    if field.barred and field.touched:
        return PreviewLine(field.barred, "refused")
    if prompt.ahead:
        return PreviewLine(prompt.ahead, "hint")
    if not (prompt.complete or typing):
        if prompt.called and not field.barred:
            return PreviewLine(" · ".join(filter(None, (prompt.called, field.missing))))
        if field.touched or field.barred:
            return PreviewLine(field.missing, "hint") if field.missing else None
        is_wanted = field.missing and not field.is_told_in_row
        return PreviewLine(field.missing, "wanted") if is_wanted else None
    foresight = prompt.view.preview_command
    reasons = prompt.before_roll if prompt.called else ""
    whole = (f for f in prompt.fields if isinstance(f, CombatantsField) and f.is_whole)
    sides = {frozenset(field.ids): field.shown for field in whole}
    ahead = preview_command(
        encounter, prompt.line, typing, foresight, prompt.asks_for, reasons, sides
    )
    seen = _in_words(ahead, prompt)
    if seen is not None and seen.kind == "refused" and not field.touched:
        return PreviewLine(seen.text, "hint")
    return seen


def _in_words(seen: PreviewLine | None, prompt: Prompt) -> PreviewLine | None:
    """The preview without the grammar of the whole command, which only typists need; with an
    example, if there is one."""
    if seen is None:
        return None
    if not seen.usage:
        return seen
    text, example = seen.says, prompt.spec.rule.example
    if example and _is_open(prompt.field) and seen.kind == "hint":
        text += f" · example: {example.format(foe=prompt.view.ruleset.usual_foe)}"
    return PreviewLine(text, seen.kind)


def _is_open(field: PromptField | None) -> bool:
    """True for a question with more than one kind of answer: words, numbers, dice."""
    is_more = isinstance(field, MoreField) and not field.spec.optional
    return is_more or isinstance(field, CommandTailField)


def _answers_ahead(encounter: OpenEncounter, prompt: DecisionPrompt) -> PreviewLine | None:
    """The preview of each answer to a pending question; of a roll only that of the typed die.

    It is a hint, as several answers continue in place of the keys.
    """
    asked, foresight = prompt.asked, prompt.view.preview_command
    if asked.die:
        line = prompt.line
        return preview_command(encounter, line, foresight=foresight) if line else None
    seen = [
        (choice.key, preview_command(encounter, choice.command, foresight=foresight))
        for choice in asked.choices
    ]
    return PreviewLine("  ".join(f"{key}: {ahead.text}" for key, ahead in seen if ahead), "hint")


def _way_to_whoever_is_up(view: FightView, prompt: Prompt) -> PreviewLine | None:
    """The key that moves the cursor to the actor, if somebody else can't do the act."""
    up, key = prompt.view.state.up, view.key_for("cursor.turn")
    if up is None or not key or not prompt.spec.acts or up.id == prompt.view.actor:
        return None
    again = view.keymap.by_id.get(prompt.spec.id)
    if again is None or is_reaction(prompt):
        return PreviewLine(f"{key} moves the cursor to {up.name}, whose turn it is", "hint")
    return PreviewLine(f"{key} {again.shown} does it for {up.name}, whose turn it is", "hint")


def is_reaction(prompt: Prompt) -> bool:
    """True if a prompt asks for an act out of turn."""
    technique = prompt.view.ruleset.tables.techniques.get(prompt.spec.technique)
    return technique is not None and technique.reaction


# -------------------------------------------------------------------------------------------------
# What it came to, once it was given.


def describe_done(encounter: OpenEncounter) -> tuple[str, MessageKind]:
    """The line on the last command, and its kind; empty before the first."""
    history = encounter.history
    entry = history.entries.get(history.last)
    if entry is None:
        return "", "info"
    if entry.verb == AMEND:
        return _amended(encounter, entry), "info"
    if entry.to is not None:
        return entry.title, "info"
    before, tracks = history.before(entry.seq), encounter.ruleset.tables.tracks
    if not is_edge(entry):
        return entry_line(entry, before, tracks), "info"
    missed = turns.missed(
        encounter.ruleset, before, encounter.state
    )  # the turn's news has all its effects
    lines = [*missed, "u undoes it", entry.title] if missed else [entry.title]
    lines += not_to_be_missed(entry, before, tracks)
    return " · ".join(lines), "warning" if missed else "info"


def _amended(encounter: OpenEncounter, entry: Entry) -> str:
    """`amended: entry 12, Mira strikes Ghoul 1, strong 5 · Ghoul 1 −3 HP, 7 left`"""
    history = encounter.history
    before = history.states[history.undo_target()]
    changes = describe_difference(before, encounter.ruleset.tables, encounter.state)
    return " · ".join([entry.title, *(changes or ["nothing else changes"])])
