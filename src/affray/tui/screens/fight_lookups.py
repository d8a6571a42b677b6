"""Lookup lists on the fight's screen: opened, fed with keys, and left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.core.engine.amend import AmendedEntry, Amendment, Edit
from affray.core.engine.history import AMEND, START
from affray.core.parser.errors import Refused
from affray.tui.keymap import Keymap, in_letters
from affray.tui.lookup import undo_list
from affray.tui.lookup.model import LookupKeyResult, LookupList, LookupSource
from affray.tui.prompts.follow_ups import RepeatPrompt
from affray.tui.prompts.preview import PreviewLine, refusal_text
from affray.tui.prompts.prompt import Prompt
from affray.tui.screens.fight_layout import FightPanes
from affray.tui.screens.fight_prompts import FightHost, FightPrompts
from affray.tui.widgets.header_footer import FooterKey
from affray.tui.widgets.lookup import LookupPane

if TYPE_CHECKING:
    from affray.tui.lookup.roster import JoinList


def _items(sheet: LookupList) -> list[FooterKey]:
    """The keys of a list; while a word is typed in it, only the keys that aren't letters."""
    contents, finds = sheet.contents, sheet.is_finding
    takes = "end the word" if finds else contents.TAKES
    keys = {key: does for key, does in contents.KEYS.items() if len(key) > 1 or not finds}
    arrows = dict(zip(("up", "down"), contents.WAYS, strict=True))
    own = {**arrows, **({"enter": takes} if takes else {}), **keys}
    row = [FooterKey(key, does) for key, does in own.items()]
    return [*row, FooterKey("escape", "clear" if finds else "leave")]


def _closes(keymap: Keymap, sheet: LookupList, pressed: str) -> bool:
    """True for the key that opened the sheet, unless it may belong to a word."""
    found = keymap.find(pressed)
    if found is None or found.id != sheet.contents.KEY:
        return False
    return len(pressed) > 1 or (not pressed.isalnum() and (sheet.is_query_kept or not sheet.query))


class FightLookups:
    """The lookup lists beside a fight: one at a time, in its pane.

    Opening the first imports the modules of most of them.
    """

    def __init__(
        self, fight: FightHost, prompts: FightPrompts, panes: FightPanes, pane: LookupPane
    ) -> None:
        self.fight, self.prompts, self.panes, self.pane = fight, prompts, panes, pane

    def show_help(self) -> None:
        """All keys and commands."""
        from affray.tui.lookup.reference import fight_help

        own = self.fight.own_options()
        self.open(fight_help(self.fight.keymap, self.fight.encounter.ruleset, own))

    def show_rules(self) -> None:
        """Rules, and creatures with their numbers."""
        self.open(self._reference())

    def _reference(self) -> LookupSource[Any]:
        from affray.tui.lookup.reference import ReferenceList

        return ReferenceList(self.fight.view.ruleset, self.fight.view.state)

    def show_rules_of(self, prompt: Prompt) -> None:
        """The rules on the question of an open prompt; leaving them leads back to it."""
        contents = self._reference()
        typed = next((words for words in prompt.asked_of_rules if contents.rows(words)), "")
        self.open(contents, typed)
        self.prompts.line.set_aside = prompt

    def show_bring(self) -> None:
        """List those who can join, to add one after the other."""
        from affray.tui.lookup.roster import JoinList

        self.open(JoinList(self.fight.view.ruleset, self.fight.view.state))

    def show_acts(self) -> None:
        """List the acts without a key, to begin one by letters of its name."""
        from affray.tui.lookup.acts import ActList

        def barred() -> set[str]:
            view = self.fight.view
            return {o.technique for o in view.options(view.actor()) if o.reason}

        self.open(ActList(self.fight.keymap, self.prompts.why_not, barred))

    def show_aloud(self) -> None:
        """List the texts to be read aloud, and the GM's notes."""
        from affray.tui.lookup.reference import ReadAloudTexts

        self.open(ReadAloudTexts(self.fight.view))

    def show_ways(self) -> None:
        """List the entries to undo and redo, and the abandoned branches."""
        self.open(undo_list.UndoList(self.fight.view))

    def open(self, contents: LookupSource[Any], typed: str | None = None) -> None:
        """Show a list in place of an open one, with words as if typed."""
        self.prompts.close()
        self.pane.open(contents, typed)
        self.prompts.line.keep_quiet(True)
        self._show_keys()
        self.panes.rearrange()

    def _show_keys(self) -> None:
        if self.pane.sheet is not None:
            self.prompts.footer.show(_items(self.pane.sheet))

    def close(self) -> None:
        """Close the sheet, if there is one, and return from an old state that it showed."""
        sheet = self.pane.sheet
        if sheet is None:
            return
        self.pane.close()
        self.prompts.line.keep_quiet(False)
        if self.prompts.line.message.kind == "refused":  # it was of a row of this list
            self.fight.say(PreviewLine(""))
        self.prompts.footer.show(None)
        self.panes.rearrange()
        if isinstance(sheet.contents, undo_list.UndoList):
            self.fight.look_at(sheet.contents.began.view_at)
            self.fight.put_cursor(sheet.contents.began.cursor)
        prompt = self.prompts.line.take_up()
        if prompt is not None:
            self.prompts.show(prompt)

    # -- keys --------------------------------------------------------------------------------------

    def feed(self, sheet: LookupList, pressed: str) -> bool:
        """Give a key to the open list; returns True if the list used it."""
        return (
            self._feed_amending(sheet, pressed)
            or self._feed_ways(sheet, pressed)
            or self._feed_list(sheet, pressed)
        )

    def _feed_list(self, sheet: LookupList, pressed: str) -> bool:
        """Give a key to the open sheet; returns True if the sheet used it."""
        if _closes(self.fight.keymap, sheet, pressed):
            self.close()
            return True
        step = self.pane.feed(pressed)
        if step is LookupKeyResult.LEFT:
            self.close()
        elif step is LookupKeyResult.TAKEN or self._is_named(sheet, pressed):
            self._take(sheet)
        elif step is LookupKeyResult.DONE:
            self.show_chosen()
            self._show_keys()
        return step is not LookupKeyResult.PASSED

    def _is_named(self, sheet: LookupList, pressed: str) -> bool:
        """True if a letter has left a single act, which then begins."""
        from affray.tui.lookup.acts import ActList

        acts = sheet.contents
        if len(pressed) > 1 or not isinstance(acts, ActList):
            return False
        return acts.named(sheet.query) == [sheet.row]

    def show_chosen(self) -> None:
        """Show the fight of the chosen row, if that is of another time."""
        sheet = self.pane.sheet
        if (
            sheet is not None
            and isinstance(sheet.contents, undo_list.UndoList)
            and sheet.row is not None
        ):
            self.fight.look_at(undo_list.target_entry(sheet.row))

    def _take(self, sheet: LookupList) -> None:
        """Follow the chosen row, begin its act, or bring in its creature."""
        from affray.tui.lookup.acts import ActList
        from affray.tui.lookup.roster import JoinList

        if isinstance(sheet.contents, JoinList):
            self._bring(sheet, sheet.contents)
            return
        if isinstance(sheet.contents, ActList):
            self._begin(sheet)
            return
        line = (
            undo_list.command_to(self.fight.encounter.history, sheet.row)
            if sheet.row is not None
            else ""
        )
        self.close()
        self.fight.look_at(None)
        if line:
            self.prompts.submit(line)

    def _begin(self, sheet: LookupList) -> None:
        """Begin the chosen act; further letters of its name are ignored."""
        act, typed = sheet.row, in_letters(sheet.query)
        if act is None:
            return
        self.fight.run_binding(act)
        name = in_letters(act.label).strip()
        if name.startswith(typed) and name != typed:
            self.prompts.typed_on.pass_over(name[len(typed) :])

    def _bring(self, sheet: LookupList, contents: JoinList) -> None:
        """Bring in the chosen creature; the list stays open for the next, and its search starts
        over."""
        row = sheet.row
        refused = contents.refusal(row)
        text = refused or contents.question(row)
        if row is None or text:
            self.fight.show_message(text, "refused" if refused else "warning")
        elif self.prompts.submit(contents.command(row)):
            sheet.is_query_kept = bool(sheet.query)
            self.pane.repaint()
            self._show_keys()

    # -- amending: the differences are shown before it is done -------------------------------------

    def show_amending(self, line: str, seen: Amendment | None = None) -> None:
        """Preview an amendment of the past; enter then carries out just that one.

        New dice fall as in `seen`, the preview before it.
        """
        barred = "" if self.fight.inserting else self.prompts.why_not_repeatable()
        if barred:
            self.fight.show_message(barred, "refused")
            return
        try:
            amendment = self.fight.encounter.amendment(line, seen)
        except Refused as refusal:
            self.fight.say(refusal_text(line, refusal))
            return
        if amendment is not None:
            self.fight.look_at(None)
            self.open(undo_list.AmendPreview(amendment, self.fight.view))

    def put_in(self, line: str) -> None:
        """Show the result of the command, inserted after the entry on view."""
        history, seq = self.fight.encounter.history, self.fight.view_at or START
        following = history.since(seq)[0]
        self.show_amending(f"{AMEND} {Edit(following, line, before=True)}")

    def give_instead(self, prompt: RepeatPrompt) -> None:
        """Give the command in place of the one asked again. What came after is decided again, and
        shown before it is carried out."""
        entry, amending, line = prompt.given.entry, prompt.given.amending, prompt.line
        encounter, edit = self.fight.encounter, Edit(entry.seq, line)
        if amending is not None:
            self.show_amending(amending.line_with(edit), amending)
        elif encounter.history.is_effective(entry.seq) and entry.seq != encounter.history.head:
            self.show_amending(f"{AMEND} {edit}")
        else:
            done = self.fight.carry_out(
                lambda: encounter.do_instead(entry.seq, line, prompt.dice), line
            )
            self.prompts.close_if_done(done)

    def _feed_amending(self, sheet: LookupList, pressed: str) -> bool:
        """Give a key to the list, if it is a preview and the key is its own; tells whether."""
        contents, row = sheet.contents, sheet.row
        if not isinstance(contents, undo_list.AmendPreview) or pressed not in (
            "enter",
            undo_list.OUT,
            undo_list.CHANGE,
        ):
            return False
        if pressed == "enter":
            self._amend(contents.amendment)
        elif row is not None and pressed == undo_list.OUT:
            self.show_amending(contents.without(row), contents.amendment)
        elif row is not None:
            self._change(contents, row)
        return True

    def _feed_ways(self, sheet: LookupList, pressed: str) -> bool:
        """Give a key to the list of entries, if it amends the chosen one, puts something in behind
        it, or takes it back; returns True if it was."""
        letters = () if sheet.types else (undo_list.INSERTS, undo_list.UNDOES)
        contents = sheet.contents
        if not isinstance(contents, undo_list.UndoList) or pressed not in (
            undo_list.AMENDS,
            *letters,
        ):
            return False
        seq, history = sheet.row, self.fight.encounter.history
        is_done = isinstance(seq, int) and history.is_effective(seq)
        if seq is None:
            self.fight.show_message("no entry contains these words", "refused")
            return True
        if not is_done or (pressed != undo_list.INSERTS and seq == START):
            self.fight.show_message(
                "you can amend, or insert after, only entries that led to now", "refused"
            )
            return True
        self.close()
        self.fight.look_at(None)
        barred = self.prompts.why_not_repeatable()
        first = contents.entries_of(seq)[0]
        if pressed == undo_list.UNDOES:
            self.prompts.submit(undo_list.command_to(history, history.parents[first]))
        elif barred:
            self.fight.show_message(barred, "refused")
        elif pressed == undo_list.AMENDS:
            self.prompts.ask_entry(first)
        else:
            self.prompts.begin_insertion(seq)
        return True

    def _amend(self, amendment: Amendment) -> None:
        self.close()
        self.prompts.log.select_entry(None)
        self.prompts.close_if_done(
            self.fight.carry_out(lambda: self.fight.encounter.amend(amendment), amendment.line)
        )

    def _change(self, contents: undo_list.AmendPreview, row: AmendedEntry) -> None:
        """Have the chosen command given another form: in its prompt, if one asks for it."""
        prompt = self.prompts.ask_step(contents.amendment, row)
        self.close()
        if prompt is not None:
            self.prompts.show(prompt)
        else:
            self.prompts.open_bar(contents.changing(row))
