"""The forms that a character's phone fills in, and the commands they make.

A form asks for what the GM's prompts ask for (`serve.form_fields`). Everything comes from the fight
as the players know it, without anybody hidden: no form can name them, and naming them names nobody.
Start with `proposal_forms` and `compose_command`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import StubDice, dice_sides, name_of_dice
from affray.core.engine import initiative, turn_order, turns
from affray.core.engine.decide import commands_of, decide, faults_by_their_place
from affray.core.engine.history import History
from affray.core.formatting.safe_text import to_id, to_one_line
from affray.core.parser.declarations import (
    PromptSpec,
    spec_of_own,
    spec_of_prompt,
    spec_of_technique,
)
from affray.core.parser.errors import GameFault, Refused
from affray.core.parser.prompt_fields import NOTED, Field, names_somebody
from affray.core.rules.proposals import NOT_NOW, fight_as_known, waits_for_initiative
from affray.core.rules.ruleset import AvailableAction, PendingDecision, Ruleset, all_options
from affray.core.rules.tables import Tables
from affray.serve.form_fields import (
    MOST_OF_A_DIE,
    NOBODY,
    ROLL,
    Answers,
    Asker,
    FormField,
    FormFields,
    die_as_it_lies,
    number_answer,
    one_answer,
    quoted_words,
    refused_at,
    require_short,
)

Group = Literal["waiting", "turn", "action", "reaction", "other"]


class ProposalForm(Struct, frozen=True):
    """Something that a character may propose now.

    id      the same for the same thing from one moment to the next: `do:strike`, `turn-end`
    group   its place: waiting decisions, their turn, actions, reactions, anything else
    cost    its cost now, in words
    reason  why it can't be done now; empty when it can
    """

    id: str
    label: str
    group: Group
    cost: str = ""
    reason: str = ""
    fields: tuple[FormField, ...] = ()


INIT, TURN_END, DELAY, RETURN, NOTE = "init", "turn-end", "delay", "return", "note"
QUESTION = "question"
"""The form for a question to the GM: it makes no command, and gets an answer in words."""


# -- the forms -------------------------------------------------------------------------------------


def proposal_forms(history: History, ruleset: Ruleset, character_id: str) -> list[ProposalForm]:
    """List what a character of the party may propose now, waiting decisions first. Empty for
    anybody else, known or not.
    """
    return [form.shown for form in _forms_of(history, ruleset, character_id)]


def describe_proposal(
    history: History, ruleset: Ruleset, character_id: str, form_id: str, answers: Answers
) -> str:
    """Describe a proposal as its player may read it: `Strike Ghoul 1, 15 on the die`. A command has
    ids, which reveal how many share a name; this has only the answers.
    """
    forms = _forms_of(history, ruleset, character_id)
    form = next((form.shown for form in forms if form.shown.id == form_id), None)
    if form is None:
        return ""
    if form_id == QUESTION:
        return one_answer(answers, "text")
    words, aims = list[str](), list[str]()
    for field in form.fields:
        given, labels = answers.get(field.name, ""), dict(field.options)
        parts = [to_one_line(part) for part in ([given] if isinstance(given, str) else given)]
        text = ", ".join(dict.fromkeys(labels.get(part, part) for part in parts if part))
        if field.kind == "die" and text and text not in labels.values():
            text = f"{text} on the die"
        if text:
            (aims if field.kind == "combatant" else words).append(text)
    return ", ".join([" ".join([form.label, ", ".join(aims)]).strip(), *words])


class _Form(NamedTuple):
    """A form, and the function that makes a command of its answers; that raises Refused for invalid
    ones."""

    shown: ProposalForm
    answer: Callable[[Answers], str]


class _FormsNow:
    """The forms of a fight at `head`, by character, for all phones.

    Fields that must follow keywords, and the faults of a game's code, are kept as long as the
    fight.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.head = -1
        self.forms: dict[str, tuple[_Form, ...]] = {}
        self.needed_by_words: dict[tuple[str, str], Field | None] = {}
        self.faults: dict[str, None] = {}


_FORMS: WeakKeyDictionary[History, _FormsNow] = WeakKeyDictionary()


def _forms_of(history: History, ruleset: Ruleset, character_id: str) -> tuple[_Form, ...]:
    now, fight = _FORMS.get(history), fight_as_known(history, ruleset)
    me = fight.state.character(character_id)
    if me is None:
        return ()
    if now is None or now.ruleset is not ruleset:
        now = _FORMS[history] = _FormsNow(ruleset)
    if now.head != fight.head:
        now.head, now.forms = fight.head, {}
    if character_id not in now.forms:
        asker = Asker(fight.state, ruleset, me, fight.previous, now.needed_by_words)
        now.forms[character_id] = tuple(_Forms(asker, now.faults).all())
    return now.forms[character_id]


def faults_in_forms(history: History) -> list[str]:
    """List the faults of a game's code for which a fight's phones lack forms, each once."""
    return [*_FORMS[history].faults] if history in _FORMS else []


def compose_command(
    history: History, ruleset: Ruleset, character_id: str, form_id: str, answers: Answers
) -> str:
    """Return the command that a form with these answers makes.

    It is empty for a question. Raises Refused for a missing form and for invalid answers.
    """
    forms = _forms_of(history, ruleset, character_id)
    form = next((form for form in forms if form.shown.id == form_id), None)
    if form is None:
        raise Refused(NOT_NOW)
    if form.shown.reason:
        raise Refused(form.shown.reason)
    names = {field.name for field in form.shown.fields}
    if any(name not in names for name in answers):
        raise Refused("that is not one of the questions")
    for field in form.shown.fields:
        with refused_at(field):
            require_short(field, answers.get(field.name, ""))
    return form.answer(answers)


def asked_rolls(
    history: History, ruleset: Ruleset, character_id: str, form_id: str, answers: Answers
) -> tuple[str, ...]:
    """List the dice that a player asks affray to roll: `die`, `damage`, or both."""
    forms = _forms_of(history, ruleset, character_id)
    fields = next((form.shown.fields for form in forms if form.shown.id == form_id), ())
    found: set[str] = set()
    for field in fields:
        answer = answers.get(field.name)
        if isinstance(answer, str) and ROLL[0] in dict(field.options).get(answer, "").split():
            found |= {field.kind} if field.kind in ("die", "damage") else {"die", "damage"}
    return tuple(sorted(found))


@lru_cache(maxsize=16)  # asked for by every phone
def _specs(ruleset: Ruleset) -> Mapping[str, PromptSpec]:
    """The prompts of techniques by id, and those of other commands by `say:` and id."""
    verbs, tables = commands_of(ruleset), ruleset.tables
    specs = {
        key: spec_of_technique(key, ruleset, verbs, tables.prompts.get(key))
        for key in tables.techniques
    }
    rows = ((f"say:{key}", rule) for key, rule in tables.prompts.items() if rule.command)
    specs |= {key: spec_of_prompt(key, rule, ruleset, verbs) for key, rule in rows}
    return {key: spec for key, spec in specs.items() if spec.command.split()[0] in verbs}


def _answer_of(waits: PendingDecision, answers: Answers) -> str:
    die, choice = (one_answer(answers, name) for name in ("die", "answer"))
    if die and waits.die:
        return waits.line_with(
            die_as_it_lies(die, sum(dice_sides(waits.thrown)), name_of_dice(waits.thrown))
        )
    found = next((c.command for c in waits.choices if c.key == choice), "")
    if not found:
        raise Refused("choose one of the answers")
    return found


def _initiative_of(who: str, words: Collection[str], answers: Answers) -> str:
    die, total, called = (one_answer(answers, name) for name in ("die", "total", "called"))
    if called in words:
        return f"init {who} {called}"
    if die:
        lies = "roll" if die == "roll" else f"natural {die_as_it_lies(die, MOST_OF_A_DIE, 'die')}"
        return f"init {who} {lies}"
    return f"init {who} {number_answer(total, 'your initiative')}"


def _next_of(ids: Mapping[str, str], answers: Answers) -> str:
    name = one_answer(answers, "who")
    if name not in ids:
        raise Refused(NOBODY)
    return f"next {ids[name]}"


def _note_on(who: str, answers: Answers) -> str:
    return f"note on {who} {quoted_words(one_answer(answers, 'text'), 'the note')}"


def _question_of(answers: Answers) -> str:
    quoted_words(one_answer(answers, "text"), "the question")
    return ""


def _always(line: str, answers: Answers) -> str:
    return line


def _filled(fields: FormFields, answers: Answers) -> str:
    fields.fill(answers)
    return fields.line


class _Forms:
    """All forms of one character, in the fight as the players know it."""

    def __init__(self, asker: Asker, faults: dict[str, None]) -> None:
        self.asker, self._faults = asker, faults
        self.state, self.ruleset, self.me = asker.state, asker.ruleset, asker.me
        self.tables = asker.ruleset.tables

    def all(self) -> list[_Form]:
        """The whole list: pending questions, the turn, techniques, own options, the rest, a
        note, and a question."""
        note, question = (FormField("text", "text", each) for each in (NOTE, QUESTION))
        return [
            *self._sound(self._waiting()),
            *self._sound(self._turn()),
            *self._sound(self._techniques()),
            *self._sound(self._others()),
            _Form(
                ProposalForm(NOTE, "Note to the GM", "other", fields=(note,)),
                partial(_note_on, self.me.id),
            ),
            _Form(
                ProposalForm(QUESTION, "Question to the GM", "other", fields=(question,)),
                _question_of,
            ),
        ]

    def _sound(self, forms: Iterator[_Form]) -> Iterator[_Form]:
        """The forms up to one that a fault in the game's code keeps from being made."""
        try:
            with faults_by_their_place(self.ruleset):
                yield from forms
        except GameFault as fault:
            self._faults[str(fault)] = None

    def _waiting(self) -> Iterator[_Form]:
        times: dict[str, int] = {}
        for each in turns.pending(self.ruleset, self.state):
            if each.who != self.me.id:
                continue
            command = each.die or each.choices[0].command
            begins = command.split()[0]
            words = [w for w in command.split() if self.state.find(w) is None and w != "by"]
            called = f"wait:{to_id(' '.join(words)) or begins}:{to_id(each.what)}"
            times[called] = times.get(called, 0) + 1
            fields = []
            if each.die:
                label = name_of_dice(each.thrown)
                fields.append(FormField("die", "die", label, optional=bool(each.choices)))
            if each.choices:
                options = tuple((c.key, c.label) for c in each.choices)
                fields.append(
                    FormField("answer", "choice", "answer", options, optional=bool(each.die))
                )
            form_id = called if times[called] == 1 else f"{called}-{times[called]}"
            shown = ProposalForm(form_id, each.what, "waiting", fields=tuple(fields))
            yield _Form(shown, partial(_answer_of, each))
        called_for = turns.players_to_call(self.state)
        if waits_for_initiative(self.state, self.me) and self.me.id not in called_for:
            rolls = self._decides(f"init {self.me.id} roll")
            words = [*self.ruleset.initiative.words(self.tables)]
            options = tuple((word, word) for word in words)
            choice = FormField("called", "choice", "initiative", options, optional=True)
            total = FormField("total", "number", "total", optional=rolls or bool(words))
            die = FormField("die", "die", "die", (ROLL,), optional=True)
            initiative = (*([choice] if words else ()), *([die] if rolls else ()), total)
            is_over = turn_order.is_finished(self.state)  # whether it begins anew, the GM says
            group: Group = "other" if is_over else "waiting"
            shown = ProposalForm(INIT, "Initiative", group, fields=initiative)
            yield _Form(shown, partial(_initiative_of, self.me.id, words))

    def _decides(self, line: str) -> bool:
        try:
            decide(self.state, line, self.ruleset, StubDice(high=False))
        except Refused:
            return False
        return True

    def _turn(self) -> Iterator[_Form]:
        me, state = self.me, self.state
        slot = state.slot(me.id)
        lines: dict[tuple[str, str], str] = {}
        by_sides, may = initiative.acts_by_sides(state), turns.choices(state)
        ends = state.takes_turn(me.id) if by_sides else state.taking_turn() == (me.id,)
        if state.in_combat and ends:
            if len(may) > 1:
                yield self._names_next(may)
            else:
                lines[TURN_END, "End my turn"] = f"finish {me.id}" if by_sides else "next"
            if self._decides(f"delay by {me.id}"):
                lines[DELAY, "Delay"] = f"delay by {me.id}"
        if state.in_combat and slot is not None and slot.held:
            lines[RETURN, "Take my turn now"] = f"return {me.id}"
        for (form_id, label), line in lines.items():
            yield _Form(ProposalForm(form_id, label, "turn"), partial(_always, line))

    def _names_next(self, may: Sequence[str]) -> _Form:
        """The form for the end of a turn whose owner names the next."""
        called = self.asker.called
        ids = {called[each]: each for each in may if each in called}
        options = tuple((name, name) for name in ids)
        who = FormField("who", "combatant", "who is next", options)
        shown = ProposalForm(TURN_END, "End my turn", "turn", fields=(who,))
        return _Form(shown, partial(_next_of, ids))

    def _techniques(self) -> Iterator[_Form]:
        tables = self.tables
        for option in all_options(self.ruleset, self.state, self.me):
            row = tables.techniques.get(option.technique)
            if row is not None:
                spec = _specs(self.ruleset).get(option.technique)
                if spec is None or spec.asks_own:  # each of these has a form of its own
                    continue
                group: Group = "reaction" if row.reaction else "action"
            else:
                found = self._spec_of_own(option)
                if found is None:
                    continue
                spec, group = found, "action"
            yield from self._sound(self._form(f"do:{option.technique}", spec, group, option))

    def _spec_of_own(self, option: AvailableAction) -> PromptSpec | None:
        """The prompt of an option of the character's own, already picked."""
        begun = option.technique.partition(" ")[0]
        asking = [spec for spec in _specs(self.ruleset).values() if spec.asks_own]
        spec = next((s for s in asking if s.command == begun), next(iter(asking), None))
        return None if spec is None else spec_of_own(spec, option)

    def _others(self) -> Iterator[_Form]:
        """The player's own acts other than techniques; without any, damage and healing."""
        for spec in _specs(self.ruleset).values():
            if spec.technique:
                continue
            people = [field for field in spec.fields if names_somebody(field)]
            is_own = spec.acts or (people and people[0].kind == "self")
            if people and people[0].kind == "person":
                mine = self._about_me(spec, people[0])
                if mine is not None:
                    yield from self._sound(self._form(spec.id, mine, "other"))
            elif not spec.asks_own and (is_own or not self.tables.techniques):
                yield from self._sound(self._form(spec.id, spec, "other"))

    def _about_me(self, spec: PromptSpec, whom: Field) -> PromptSpec | None:
        """The prompt of a roll for somebody in a state, or of a readied action, if the character is
        meant; else None."""
        rolls = any(field.kind in ("die", "outcome", NOTED) for field in spec.fields)
        if not rolls or not any(self.asker.view.true_of(self.me, what) for what in whom.options):
            return None
        fields = (replace(f, kind="self") if f is whom else f for f in spec.fields)
        return replace(spec, fields=tuple(fields))

    def _form(
        self, form_id: str, spec: PromptSpec, group: Group, option: AvailableAction | None = None
    ) -> Iterator[_Form]:
        """The form of a prompt; None if it asks for something that a form can't."""
        form = FormFields(spec, self.asker)
        if form.lacks:
            return
        reason = option.reason if option is not None else ""
        if not reason or spec.is_by_what_is_picked:
            reason = form.more()
        fields = tuple(form.shown)
        if reason and group == "other":
            return
        reason = reason or form.nobody
        cost = cost_in_words(self.tables, option.cost) if option is not None else ""
        label, reason = to_one_line(spec.label), to_one_line(reason)
        shown = ProposalForm(form_id, label, group, cost, reason, fields)
        yield _Form(shown, partial(_filled, form))


def cost_in_words(tables: Tables, cost: Mapping[str, int]) -> str:
    """Write a cost, each track by its name: `2 AP`."""
    parts = []
    for track, by in cost.items():
        row = tables.track(track)
        is_one = row.shown in ("badge", "box") and by == 1
        plus = "+" if row.counts == "marked" else ""
        parts.append(row.label if is_one else f"{plus}{by} {row.label}")
    return ", ".join(parts)
