"""The open prompt: the view it is given, its preview, and the message after it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.commands.log_commands import MOVES, query_kind
from affray.core.dice import DiceSource, RecordedDice, StubDice
from affray.core.engine.amend import (
    AmendedEntry,
    Amendment,
    Edit,
    build_entry,
    decide_step,
    kept_dice,
    read_edits,
)
from affray.core.engine.decide import Decision
from affray.core.engine.events import Rolled
from affray.core.engine.history import AMEND, Entry, History, recorded_dice
from affray.core.engine.state import Encounter
from affray.core.formatting.log_lines import describe_difference, entry_line, outcome_lines
from affray.core.parser.errors import Refused
from affray.store.errors import LogError
from affray.tui.fight_view import pending_in
from affray.tui.prompts.command_bar import CommandBar
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.field import PromptSpec
from affray.tui.prompts.follow_ups import DecisionPrompt, GivenCommand, RepeatPrompt, asked_again
from affray.tui.prompts.preview import (
    Decide,
    PreviewLine,
    foresight,
    incomplete_text,
    preview_line,
    refusal_text,
)
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.value_fields import CommandTailField
from affray.tui.widgets.base import Pane
from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.log import LogPane
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.techniques import price_of
from affray.tui.widgets.turn_order import TurnOrderList
from affray.tui.widgets.turn_summary import is_edge, not_to_be_missed

if TYPE_CHECKING:
    from affray.store.open_encounter import OpenEncounter
    from affray.tui.screens.fight import FightScreen


# -------------------------------------------------------------------------------------------------
# Previews


def preview_command(
    screen: FightScreen, line: str, typing: bool = False, preview: Decide | None = None
) -> PreviewLine | None:
    """Preview a line, now or as `preview` decides it; None where that can't be done."""
    words = line.split()
    verb = words[0].casefold() if words else ""
    if verb == AMEND:
        return _amendment_ahead(screen, line, typing)
    if verb in MOVES or screen.encounter.is_carried_by(line):
        return _foreseen(screen, line, typing)
    if not words or query_kind(line):  # a question changes nothing
        return None

    return _decided_ahead(screen, line, typing, preview or screen.encounter.preview)


def _decided_ahead(screen: FightScreen, line: str, typing: bool, decide: Decide) -> PreviewLine:
    tracks = screen.encounter.ruleset.tables.tracks

    def preview_lines(decision: Decision) -> list[str]:
        comes = outcome_lines(decision.events, decision.before, tracks, decision.by)
        return [*comes, *_which_counts(decision)]

    return preview_line(
        line, decide, preview_lines, typing, lambda decision: price_of(decision.events, tracks)
    )


def _amendment_ahead(screen: FightScreen, line: str, typing: bool) -> PreviewLine:
    """What the change that stands last in the line would have come to where it is made; what it
    changes behind that, enter shows."""
    encounter = screen.encounter
    try:
        edit = (read_edits(encounter.history, line) or [])[-1]
    except Refused as refusal:
        return incomplete_text(line, refusal, typing)
    if not edit.command:
        ahead = PreviewLine(f"without: {encounter.history.entries[edit.seq].title}")
    else:

        def decide(command: str, dice: DiceSource) -> Decision:
            return encounter.preview_instead(edit.seq, command, dice)

        ahead = _decided_ahead(screen, edit.command, typing, decide)
    if ahead.kind != "info":
        return ahead
    return ahead._replace(text=f"{ahead.text} · enter shows what is different then")


def _which_counts(decision: Decision) -> list[str]:
    """Why, of two dice of one roll, the one counts that does: `+6 axe, advantage: target prone`."""
    rolls = (event for event in decision.events if isinstance(event, Rolled))
    return [e.why for e in rolls if e.by_hand and e.natural is not None and len(e.faces) > 1]


def _foreseen(screen: FightScreen, line: str, typing: bool) -> PreviewLine:
    """Where a move through the log would lead, and what goes or comes back on the way."""
    try:
        text = screen.encounter.preview_command(line) or ""
        return PreviewLine(text.replace("\n", " · "), "info")
    except Refused as refusal:
        return incomplete_text(line, refusal, typing)


# -- before the next key ---------------------------------------------------------------------------


def prefetch(screen: FightScreen) -> None:
    """Work out, while no key comes, what the next one is likely to show: what the command that is
    being asked for or typed comes to, or else the next turn.

    Nothing is worked out of what dice decide, since nobody knows how they will fall, nor of what
    hangs on other logs, which is decided anew when it is given.
    """
    panes = [pane for pane in screen.children if isinstance(pane, Pane)]
    for pane in panes:
        pane.prepare()
    decision = _likely(screen)
    if decision is None:
        return
    state, goes_on = decision.state, decision.state.turn == screen.view.state.turn
    ahead = replace(screen.view, state=state, cursor=screen.cursor if goes_on else state.turn)
    for pane in panes:
        pane.prefetch(ahead)


def _likely(screen: FightScreen) -> Decision | None:
    """What the next key is likely to do; None where that can't be known."""
    line, dice = _likely_line(screen), StubDice(high=False)  # the last that `outlook` throws
    if not line or screen.view_at is not None or screen.encounter.read_only:
        return None
    try:
        decision = screen.encounter.preview(line, dice)
    except Refused:
        return None
    return None if dice.thrown or decision.looked_elsewhere else decision


def _likely_line(screen: FightScreen) -> str:
    """The command that the next key may give; empty for none that is whole."""
    line, view = screen.query_one(PromptWidget), screen.view
    if isinstance(
        line.prompt, RepeatPrompt
    ):  # what it gives comes in place of another, and not now
        return ""
    if line.prompt is not None:
        return line.prompt.line if line.prompt.complete else ""
    if line.bar is not None:
        return line.bar.text
    return "next" if view.state.phase == "combat" and not view.pending else ""


MOST_LOOKED_BACK = 30
"""Among so many of the last entries the last roll is looked for."""


def prompt_line(screen: FightScreen) -> PromptWidget:
    """The rows in which prompts are shown."""
    return screen.query_one(PromptWidget)


def prompt_context(screen: FightScreen, spec: PromptSpec) -> PromptContext:
    """The fight as that prompt sees it."""
    encounter = screen.encounter
    turn = encounter.state.turn
    return PromptContext(
        encounter.state,
        encounter.ruleset,
        actor=screen.view.actor() if spec.acts or not turn else turn,
        cursor=screen.cursor,
        complete=encounter.complete,
        preview_command=foresight(encounter.preview),
        memory=prompt_line(screen).memory,
        last_struck=_last_struck(encounter.history),
    )


def _last_struck(history: History) -> str:
    """At whom the last roll was that was made at somebody, among the last entries."""
    for seq in history.path[: -MOST_LOOKED_BACK - 1 : -1]:
        rolls = (e for e in reversed(history.entries[seq].events) if isinstance(e, Rolled))
        struck = next((roll.against for roll in rolls if roll.against), "")
        if struck:
            return struck
    return ""


def _outlook_of(screen: FightScreen, prompt: Prompt) -> PreviewLine | None:
    """What it would come to, behind what is to be known before a die falls."""
    seen, before = _comes_to(screen, prompt), prompt.before_roll
    if not before and prompt.added and (seen is None or seen.kind == "wanted"):
        wanted = seen.text if seen is not None else ""
        return PreviewLine(" · ".join(filter(None, (wanted, prompt.added))), "wanted")
    is_told = seen is not None and (seen.kind == "refused" or "advantage: " in seen.text)
    if not before or is_told:  # of two dice that lie there, what comes of them says why
        return seen
    if seen is None or seen.kind == "wanted":
        return PreviewLine(before, "info")
    return seen._replace(text=f"{before} · {seen.text}")


def _comes_to(screen: FightScreen, prompt: Prompt) -> PreviewLine | None:
    """What it would come to; before it is whole, what is wanted. Nothing typed is nothing wrong."""
    if isinstance(prompt, DecisionPrompt):
        return _answers_ahead(screen, prompt)
    slot = prompt.slot
    if slot is None:
        return _way_to_whoever_is_up(screen, prompt)
    typing = isinstance(slot, CommandTailField)
    if slot.barred and slot.touched:
        return PreviewLine(slot.barred, "refused")
    if prompt.ahead:
        return PreviewLine(prompt.ahead, "hint")
    if not (prompt.complete or typing):
        plainly = slot.touched or slot.barred
        return PreviewLine(slot.missing, "hint" if plainly else "wanted") if slot.missing else None
    preview = prompt.given.preview if isinstance(prompt, RepeatPrompt) else None
    seen = _in_words(preview_command(screen, prompt.line, typing, preview), prompt)
    if seen is not None and seen.kind == "refused" and not slot.touched:
        return PreviewLine(seen.text, "hint")
    return seen


def _in_words(seen: PreviewLine | None, prompt: Prompt) -> PreviewLine | None:
    """What is wanted without the grammar of the whole command, which is for who types all of it;
    with an example, where there is one."""
    if seen is None or not seen.usage:
        return seen
    text, example = seen.without_usage, prompt.spec.rule.example
    if example and isinstance(prompt.slot, CommandTailField) and seen.kind == "hint":
        text += f" · example: {example.format(foe=prompt.view.ruleset.stranger)}"
    return PreviewLine(text, seen.kind)


def _answers_ahead(screen: FightScreen, prompt: DecisionPrompt) -> PreviewLine | None:
    """What each answer to what waits would come to; of a roll only what a die that is typed would.

    It is a hint, as those go on in place of the keys: there are several.
    """
    asked = prompt.asked
    if asked.die:
        return preview_command(screen, prompt.line) if prompt.line else None
    seen = [(choice.key, preview_command(screen, choice.command)) for choice in asked.choices]
    return PreviewLine("  ".join(f"{key}: {ahead.text}" for key, ahead in seen if ahead), "hint")


def _way_to_whoever_is_up(screen: FightScreen, prompt: Prompt) -> PreviewLine | None:
    """Which key puts the cursor on whoever is up, where somebody else can't do what was asked."""
    up, key = screen.encounter.state.up, screen.view.key_for("cursor.turn")
    if up is None or not key or not prompt.spec.acts or up.id == prompt.view.actor:
        return None
    again = screen.keymap.by_id.get(prompt.spec.id)
    if again is None or is_reaction(prompt):
        return PreviewLine(f"{key} puts the cursor on {up.name}, who is up", "hint")
    return PreviewLine(f"{key} {again.shown} does it for {up.name}, who is up", "hint")


def is_reaction(prompt: Prompt) -> bool:
    """Whether a prompt asks for something that is done out of turn."""
    technique = prompt.view.ruleset.tables.techniques.get(prompt.spec.technique)
    return technique is not None and technique.reaction


def the_past(entry: int) -> str:
    """Why nothing can be done while an earlier entry is looked at."""
    return f"this is entry {entry}, to be looked at: esc goes back to now, enter goes on from here"


def show_prompt(screen: FightScreen, prompt: Prompt) -> None:
    """Show a prompt with what it would come to."""
    line = prompt_line(screen)
    line.show(prompt, outlook=_outlook_of(screen, prompt))
    _point_at_people(screen, prompt)
    screen.query_one(Footer).show(prompt)


def close_input(screen: FightScreen) -> None:
    """Close the prompt and the command bar, without a change."""
    prompt_line(screen).show()
    _point_at_people(screen, None)
    screen.query_one(Footer).show(None)


def _point_at_people(screen: FightScreen, prompt: Prompt | None) -> None:
    """Let the order show the numbers that answer the prompt."""
    wanted = prompt is not None and bool(prompt.candidates)
    screen.query_one(TurnOrderList).light_numbers(wanted)


def close_if_done(screen: FightScreen, done: bool) -> bool:
    """Close the prompt of a command that was done, and say what came of it. Gives back `done`."""
    if done:
        outlook = prompt_line(screen).message
        close_input(screen)
        if not outlook.text:
            _say_what_was_done(screen)
    return done


def submit_command(screen: FightScreen, line: str) -> bool:
    """Give a command, or a question. A prompt that is refused stays open, with why below it."""
    if query_kind(line) or screen.encounter.is_carried_by(line):
        return _ask(screen, line)
    return close_if_done(screen, screen.run_command(line))


def _ask(screen: FightScreen, line: str) -> bool:
    """Show the answer to a question, or why it has none; tells whether it has one.

    To keep somebody gives the fight other rows, so all is shown anew.
    """
    try:
        result = screen.encounter.ask(line)
    except Refused as refusal:
        screen.say(refusal_text(line, refusal))
        return False
    except LogError as error:
        screen.show_message(str(error), "refused")
        return False
    close_input(screen)
    screen.look_for_what_differs()
    screen.publish()
    screen.show_message(" · ".join(result.lines if result else ()) or "nothing to say about it")
    return True


def open_command_bar(screen: FightScreen, text: str = "") -> None:
    """Open the command bar."""
    encounter, line = screen.encounter, prompt_line(screen)
    given = [c for c in encounter.commands if not c.startswith(MOVES)]
    bar = CommandBar([*given, *line.asked], encounter.complete, text)
    line.show(bar=bar)
    screen.query_one(Footer).show(bar)


def _say_what_was_done(screen: FightScreen) -> None:
    history = screen.encounter.history
    entry = history.entries.get(history.last)
    if entry is None:
        return
    if entry.verb == AMEND:
        screen.show_message(_amended(screen.encounter, entry))
        return
    if entry.to is not None:
        screen.show_message(_moved(entry.text))
        return
    tracks = screen.encounter.ruleset.tables.tracks
    if is_edge(entry):  # the panel of the turn's edge tells all that it set off
        missed = _missed(screen, history.before(entry.seq))
        lines = [*missed, "u goes back", entry.title] if missed else [entry.title]
        lines += not_to_be_missed(entry, history.before(entry.seq), tracks)
        screen.show_message(" · ".join(lines), "warning" if missed else "info")
        return
    screen.show_message(entry_line(entry, history.before(entry.seq), tracks))


def _missed(screen: FightScreen, before: Encounter) -> list[str]:
    """What had to be done in the turn that is over now, and was not."""
    ruleset, after = screen.encounter.ruleset, screen.encounter.state
    if after.turn == before.turn and after.round == before.round:
        return []
    waiting = pending_in(ruleset, before)
    return [each.missed for each in waiting if each.missed and before.takes_turn(each.who)]


def _amended(encounter: OpenEncounter, entry: Entry) -> str:
    """`amended: entry 12, Mira strikes Ghoul 1, strong 5 · Ghoul 1 −3 HP, 7 left`"""
    history = encounter.history
    before = history.states[history.undo_target()]
    changes = describe_difference(before, encounter.ruleset.tables, encounter.state)
    _, _, what = entry.text.partition(": ")
    return " · ".join([f"amended: {what}", *(changes or ["nothing else is different"])])


def _moved(text: str) -> str:
    verb, _, what = text.partition(": ")
    return f"{ {'undo': 'undone', 'redo': 'redone'}.get(verb, 'now at') }: {what}"


# -------------------------------------------------------------------------------------------------
# The last roll repeated with its dice: one thing of it changed, given in its place


def ask_last_roll(screen: FightScreen) -> None:
    """Ask the last roll again, as its dice lie, to be given in its place with something changed.

    What was just taken back is the last as well.
    """
    barred = why_not_repeatable(screen)
    if barred:
        screen.show_message(barred, "refused")
        return
    history = screen.encounter.history
    selected = screen.query_one(LogPane).selected
    if selected is not None:
        _ask_entry(screen, selected)
        return
    for seq in (*_taken_back(history), *history.path[: -MOST_LOOKED_BACK - 1 : -1]):
        entry = history.entries[seq]
        prompt = _again(screen, _of_the_log(screen, seq))
        if prompt is not None:
            show_prompt(screen, prompt)
            return
        if entry.by and any(isinstance(event, Rolled) for event in entry.events):
            text = f"{entry.title}: no prompt asks for it as it was typed; `:` and ↑ have it again"
            screen.show_message(text, "refused")
            return
    screen.show_message("no roll among the last commands that could be asked again", "refused")


def why_not_repeatable(screen: FightScreen) -> str:
    """Why nothing of the past can be changed now; empty where it can."""
    past = the_past(screen.view_at) if screen.view_at is not None else ""
    return past or screen.encounter.read_only


def _ask_entry(screen: FightScreen, seq: int) -> None:
    """Ask an entry of the log again: by its prompt, or as it was typed."""
    prompt = _again(screen, _of_the_log(screen, seq))
    if prompt is not None:
        show_prompt(screen, prompt)
    else:
        command = screen.encounter.history.entries[seq].command
        open_command_bar(screen, f"{AMEND} {Edit(seq, command)}")


def _taken_back(history: History) -> list[int]:
    """The entry that was just taken back, if the last command was to take back."""
    last = history.entries.get(history.last)
    if last is None or last.to is None:
        return []
    try:
        return [history.redo_target()]
    except Refused:
        return []


def _again(screen: FightScreen, given: GivenCommand) -> RepeatPrompt | None:
    specs = [key.prompt for key in screen.keymap.keys if key.prompt is not None]
    return asked_again(given, specs, partial(prompt_context, screen))


def _of_the_log(screen: FightScreen, seq: int) -> GivenCommand:
    """An entry, and what would have come of another line in its place, with its dice."""
    encounter = screen.encounter
    entry, before = encounter.history.entries[seq], encounter.history.before(seq)
    rolls = recorded_dice(entry.events)

    def preview(line: str, dice: DiceSource) -> Decision:
        return encounter.preview_instead(seq, line, RecordedDice(rolls, dice))

    return GivenCommand(entry, before, preview)


def ask_step(screen: FightScreen, amending: Amendment, step: AmendedEntry) -> RepeatPrompt | None:
    """The prompt of a later command in an amended past; None where none asks for it."""
    encounter, old = screen.encounter, step.old
    if old is None:
        return None
    entry = replace(old, command=step.command or old.command)
    if step.decision is not None:
        entry = build_entry(step, old.seq)

    def preview(line: str, dice: DiceSource) -> Decision:
        recorded = kept_dice(step, RecordedDice(step.new, dice))
        return decide_step(step, line, encounter.ruleset, recorded, encounter.other_logs)

    return _again(screen, GivenCommand(entry, step.before, preview, amending))
