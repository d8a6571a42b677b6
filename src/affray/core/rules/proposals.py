"""What players propose: the forms that a character's phone fills in, and the commands they make.

A form asks for what a command's declared arguments ask for (`core.rules.form_fields`), as the GM's
prompts do. All of it is made of the fight as the players know it (`known_state`): nobody hidden is
there, so no form can name anybody hidden, and to name them is to name nobody. What the fight itself
refuses may name them: that is for the GM alone, and `refusal_as_known` for the player. Start
reading with `proposal_forms` and `compose_command`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import StubDice
from affray.core.engine import turn_order, turns
from affray.core.engine.decide import commands_of, decide
from affray.core.engine.dice_owners import PlayersDie
from affray.core.engine.effects import effect_name, independent_effects
from affray.core.engine.history import EarlierEntry, History
from affray.core.engine.settings import PLAYERS_ACT
from affray.core.engine.state import Combatant, Encounter, Life
from affray.core.formatting.effects import (
    effect_with_amounts,
    other_stat_lines,
    until_in_words,
)
from affray.core.formatting.players_view import (
    PlayersCondition,
    PlayersTrack,
    known_previous,
    known_state,
)
from affray.core.formatting.safe_text import to_id, to_one_line
from affray.core.parser.declarations import (
    PromptSpec,
    spec_of_own,
    spec_of_prompt,
    spec_of_technique,
)
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import NOTED, Field, names_somebody
from affray.core.rules.form_fields import (
    MOST_OF_A_DIE,
    ROLL,
    Answers,
    Asked,
    FormField,
    FormMaker,
    die_as_it_lies,
    number_answer,
    one_answer,
    quoted_words,
    refusal_in_words,
    require_short,
)
from affray.core.rules.ruleset import AvailableAction, PendingDecision, Ruleset, all_options
from affray.core.rules.tables import Tables

Group = Literal["waiting", "turn", "action", "reaction", "other"]


class ProposalForm(Struct, frozen=True):
    """Something that a character may propose now.

    id      the same for the same thing from one moment to the next: `do:strike`, `turn-end`
    group   where it stands: what waits for them, their turn, actions, reactions, anything else
    cost    what it costs now, in words
    reason  why it can't be done now; empty when it can
    """

    id: str
    label: str
    group: Group
    cost: str = ""
    reason: str = ""
    fields: tuple[FormField, ...] = ()


class OwnSheet(Struct, frozen=True):
    """A character as their own player sees it: what the GM's card has, but for the GM's notes.

    totals   label -> the number as it is now, or a word in its place
    numbers  whatever else the sheet says, in a few words each
    """

    name: str
    life: Life
    tracks: tuple[PlayersTrack, ...] = ()
    totals: tuple[tuple[str, str], ...] = ()
    effects: tuple[PlayersCondition, ...] = ()
    numbers: tuple[str, ...] = ()
    text: str = ""


NOT_NOW = "that can't be done now"
"""The refusal of a form that is not there, or no longer."""
INIT, TURN_END, DELAY, RETURN, NOTE = "init", "turn-end", "delay", "return", "note"


# -- the forms -------------------------------------------------------------------------------------


def proposal_forms(history: History, ruleset: Ruleset, character_id: str) -> list[ProposalForm]:
    """List what a character of the party may propose now: first what waits for them.

    Empty for anybody else, and for nobody known.
    """
    return [form.shown for form in _forms_of(history, ruleset, character_id)]


def describe_proposal(
    history: History, ruleset: Ruleset, character_id: str, form_id: str, answers: Answers
) -> str:
    """Say what was proposed as its player may read it: `Strike Ghoul 1, 15 on the die`.

    A command has ids, which tell how many there are of a name; this has the answers alone.
    """
    forms = _forms_of(history, ruleset, character_id)
    form = next((form.shown for form in forms if form.shown.id == form_id), None)
    if form is None:
        return ""
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


class _FormsNow(NamedTuple):
    """The forms of a fight as it stands at `head`, by character: all phones ask for them."""

    head: int
    ruleset: Ruleset
    state: Encounter
    previous: EarlierEntry | None
    forms: dict[str, tuple[_Form, ...]]


_FORMS: WeakKeyDictionary[History, _FormsNow] = WeakKeyDictionary()


def _forms_at(history: History, ruleset: Ruleset) -> _FormsNow:
    found = _FORMS.get(history)
    if found is None or found.head != history.head or found.ruleset is not ruleset:
        state, previous = known_state(history, ruleset), known_previous(history, ruleset)
        found = _FormsNow(history.head, ruleset, state, previous, {})
        _FORMS[history] = found
    return found


def state_as_known(history: History, ruleset: Ruleset) -> Encounter:
    """Return `known_state`, which all phones ask for, made once for the fight as it stands."""
    return _forms_at(history, ruleset).state


def _forms_of(history: History, ruleset: Ruleset, character_id: str) -> tuple[_Form, ...]:
    moment = _forms_at(history, ruleset)
    me = moment.state.character(character_id)
    if me is None:
        return ()
    if character_id not in moment.forms:
        moment.forms[character_id] = tuple(_Forms(moment.state, ruleset, me, moment.previous).all())
    return moment.forms[character_id]


def compose_command(
    history: History, ruleset: Ruleset, character_id: str, form_id: str, answers: Answers
) -> str:
    """Return the command that a form with these answers makes.

    Raises Refused, in one line, for a form that is not there, and for answers that are none.
    """
    forms = _forms_of(history, ruleset, character_id)
    form = next((form for form in forms if form.shown.id == form_id), None)
    if form is None:
        raise Refused(NOT_NOW)
    if form.shown.reason:
        raise Refused(form.shown.reason)
    return form.line(answers)


def asked_rolls(
    history: History, ruleset: Ruleset, character_id: str, form_id: str, answers: Answers
) -> tuple[str, ...]:
    """Say which dice a player asks the program to roll: `die`, `damage`, or both."""
    forms = _forms_of(history, ruleset, character_id)
    fields = next((form.shown.fields for form in forms if form.shown.id == form_id), ())
    found: set[str] = set()
    for field in fields:
        answer = answers.get(field.name)
        if isinstance(answer, str) and ROLL[0] in dict(field.options).get(answer, "").split():
            found |= {field.kind} if field.kind in ("die", "damage") else {"die", "damage"}
    return tuple(sorted(found))


def is_asked_roll(rolls: Collection[str], character_id: str, die: PlayersDie) -> bool:
    """True if a die is among those of a character that its player asks the program to roll."""
    return die.who == character_id and ("die" if die.is_d20 else "damage") in rolls


def refusal_as_known(history: History, ruleset: Ruleset, command: str) -> str:
    """Say why a command that the fight refuses can't be done, as far as the players may know."""
    state = state_as_known(history, ruleset)
    try:
        decide(state, command, ruleset, StubDice(high=False))
    except Refused as refusal:
        return refusal_in_words(state, refusal)
    return NOT_NOW


def may_go_by_itself(history: History, ruleset: Ruleset, character_id: str, command: str) -> bool:
    """True if a proposed command needs no word of the GM's (`setting players-act trusted`).

    That is one's own initiative where it waits, an answer to what waits for one, and the end of
    one's turn, unless that would roll what still waits.
    """
    state = history.state
    me = state.character(character_id)
    if me is None or PLAYERS_ACT.value(state) != "trusted":
        return False
    waits = [each for each in turns.pending(ruleset, state) if each.who == me.id]
    if command == "next":
        return state.taking_turn() == (me.id,) and not any(w.holds or w.missed for w in waits)
    if _waits_for_initiative(state, me) and _is_die_of(f"init {me.id}", command):
        return True
    choices = (choice.command for each in waits for choice in each.choices)
    dice = (each for each in waits if each.die)
    return command in choices or any(_is_die_of(w.die, command) for w in dice)


def _is_die_of(begins: str, command: str) -> bool:
    """True if a command is this, and behind it only a number, a roll, or dice as they lie."""
    return bool(re.fullmatch(rf"{re.escape(begins)} (roll|-?\d+|natural \d+(,\d+)?)", command))


def _waits_for_initiative(state: Encounter, combatant: Combatant) -> bool:
    slot = state.slot(combatant.id)
    return (
        slot is not None
        and not (slot.gone or slot.follows or slot.passive)
        and (slot.initiative is None or turn_order.is_finished(state))
    )


def own_sheet(history: History, ruleset: Ruleset, character_id: str) -> OwnSheet | None:
    """Return the own numbers, tracks and effects of a character of the party; None for anybody
    else, and for nobody known."""
    state, tables = state_as_known(history, ruleset), ruleset.tables
    me = state.character(character_id)
    if me is None:
        return None
    totals = {
        name: (tables.total(name).label, tables.total(name).format_value(value))
        for name, value in ruleset.numbers.totals(tables, state, me).items()
        if tables.total(name).whole or value
    }
    labels = ruleset.sheet.labels(state, me)
    rest = {n: value for n, value in me.stats.items() if n not in labels and n != "text"}
    numbers = [
        *(text for stat, text in labels.items() if text and stat in me.stats),
        *other_stat_lines(tables, rest, totals),
    ]
    lasting = (
        PlayersCondition(
            to_one_line(effect_name(tables, effect_with_amounts(replace(effect, note="")))),
            to_one_line(until_in_words(state, me, effect.until)),
            tables.look(effect.name, effect.kind).harmful,
        )
        for effect in independent_effects(me)
    )
    return OwnSheet(
        to_one_line(me.name),
        me.life,
        tuple(
            PlayersTrack(rule.label, rule.shown, me.tracks[name].value, me.tracks[name].max)
            for name, rule in tables.tracks.items()
            if name in me.tracks and rule.when in (None, me.life)
        ),
        tuple((label, to_one_line(value)) for label, value in totals.values()),
        tuple(lasting),
        tuple(map(to_one_line, numbers)),
        to_one_line(me.text),
    )


@lru_cache(maxsize=16)  # asked for by every phone
def _specs(ruleset: Ruleset) -> Mapping[str, PromptSpec]:
    """The prompts of techniques by id, and those of other commands by `say:` and theirs."""
    verbs, tables = commands_of(ruleset), ruleset.tables
    specs = {
        key: spec_of_technique(key, ruleset, verbs, tables.prompts.get(key))
        for key in tables.techniques
    }
    rows = ((f"say:{key}", rule) for key, rule in tables.prompts.items() if rule.command)
    specs |= {key: spec_of_prompt(key, rule, ruleset, verbs) for key, rule in rows}
    return {key: spec for key, spec in specs.items() if spec.command.split()[0] in verbs}


class _Form(NamedTuple):
    """A form with what is needed to make its command.

    spec   the command's prompt; None for what waits, and for a form that has none
    asked  the prompt's fields, each with the form's
    waits  the decision that it answers, if it is one that waits
    """

    shown: ProposalForm
    forms: _Forms
    spec: PromptSpec | None = None
    asked: tuple[Asked, ...] = ()
    waits: PendingDecision | None = None

    def line(self, answers: Answers) -> str:
        """The command; raises Refused for answers that are none."""
        names = {field.name for field in self.shown.fields}
        if any(name not in names for name in answers):
            raise Refused("that is not one of the questions")
        for field in self.shown.fields:
            require_short(field, answers.get(field.name, ""))
        if self.waits is not None:
            return self._answer_of(self.waits, answers)
        if self.spec is not None:
            return self.forms.maker.line(self.spec, self.asked, answers)
        return self._own_line(answers)

    def _own_line(self, answers: Answers) -> str:
        me = self.forms.me.id
        if self.shown.id == INIT:
            die, total = (one_answer(answers, name) for name in ("die", "total"))
            if die:
                lies = "roll" if die == "roll" else f"natural {die_as_it_lies(die, MOST_OF_A_DIE)}"
                return f"init {me} {lies}"
            return f"init {me} {number_answer(total, 'your initiative')}"
        if self.shown.id == NOTE:
            return f"note on {me} {quoted_words(one_answer(answers, 'text'), 'the note')}"
        return {TURN_END: "next", DELAY: f"delay by {me}", RETURN: f"return {me}"}[self.shown.id]

    def _answer_of(self, waits: PendingDecision, answers: Answers) -> str:
        die, choice = (one_answer(answers, name) for name in ("die", "answer"))
        if die and waits.die:
            most = MOST_OF_A_DIE if waits.dice else 20
            return waits.line_with(die_as_it_lies(die, most))
        found = next((c.command for c in waits.choices if c.key == choice), "")
        if not found:
            raise Refused("choose one of the answers")
        return found


class _Forms:
    """All forms of one character, in the fight as the players know it."""

    def __init__(
        self, state: Encounter, ruleset: Ruleset, me: Combatant, previous: EarlierEntry | None
    ) -> None:
        self.state, self.ruleset, self.me = state, ruleset, me
        self.tables = ruleset.tables
        self.maker = FormMaker(state, ruleset, me, previous)

    def all(self) -> list[_Form]:
        """The whole list: pending questions, the turn, techniques, own options, the rest, and a
        note."""
        note = FormField("text", "text", "note")
        return [
            *self._waiting(),
            *self._turn(),
            *self._techniques(),
            *self._others(),
            _Form(ProposalForm(NOTE, "Note to the GM", "other", fields=(note,)), self),
        ]

    def _waiting(self) -> Iterator[_Form]:
        times: dict[str, int] = {}
        for each in turns.pending(self.ruleset, self.state):
            if each.who != self.me.id:
                continue
            command = each.die or each.choices[0].command
            begins = command.split()[0]
            words = [w for w in command.split() if self.state.find(w) is None and w != "by"]
            called = to_id(" ".join(words)) or begins
            times[called] = times.get(called, 0) + 1
            fields = []
            if each.die:
                label = each.dice or "d20"
                fields.append(FormField("die", "die", label, optional=bool(each.choices)))
            if each.choices:
                options = tuple((c.key, c.label) for c in each.choices)
                fields.append(
                    FormField("answer", "choice", "answer", options, optional=bool(each.die))
                )
            form_id = f"wait:{called}:{times[called]}"
            shown = ProposalForm(form_id, each.what, "waiting", fields=tuple(fields))
            yield _Form(shown, self, waits=each)
        called_for = turns.players_to_call(self.state)
        if _waits_for_initiative(self.state, self.me) and self.me.id not in called_for:
            rolls = self._decides(f"init {self.me.id} roll")
            total = FormField("total", "number", "total", optional=rolls)
            die = FormField("die", "die", "die", (ROLL,), optional=True)
            initiative = (die, total) if rolls else (total,)
            yield _Form(ProposalForm(INIT, "Initiative", "waiting", fields=initiative), self)

    def _decides(self, line: str) -> bool:
        try:
            decide(self.state, line, self.ruleset, StubDice(high=False))
        except Refused:
            return False
        return True

    def _turn(self) -> Iterator[_Form]:
        me, state = self.me, self.state
        if state.phase != "combat":
            return
        if state.taking_turn() == (me.id,):
            yield _Form(ProposalForm(TURN_END, "End my turn", "turn"), self)
            if self._decides(f"delay by {me.id}"):
                yield _Form(ProposalForm(DELAY, "Delay", "turn"), self)
        slot = state.slot(me.id)
        if slot is not None and slot.held:
            yield _Form(ProposalForm(RETURN, "Take my turn now", "turn"), self)

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
            yield from self._form(f"do:{option.technique}", spec, group, option)

    def _spec_of_own(self, option: AvailableAction) -> PromptSpec | None:
        """The prompt of one's own option, with that picked."""
        begun = option.technique.partition(" ")[0]
        asking = [spec for spec in _specs(self.ruleset).values() if spec.asks_own]
        spec = next((s for s in asking if s.command == begun), next(iter(asking), None))
        return None if spec is None else spec_of_own(spec, option)

    def _others(self) -> Iterator[_Form]:
        """The acts of a player's own that are no techniques; without any, damage and healing."""
        for spec in _specs(self.ruleset).values():
            if spec.technique:
                continue
            people = [field for field in spec.fields if names_somebody(field)]
            is_own = spec.acts or (people and people[0].kind == "self")
            if people and people[0].kind == "person":
                mine = self._about_me(spec, people[0])
                if mine is not None:
                    yield from self._form(spec.id, mine, "other")
            elif not spec.asks_own and (is_own or not self.tables.techniques):
                yield from self._form(spec.id, spec, "other")

    def _about_me(self, spec: PromptSpec, whom: Field) -> PromptSpec | None:
        """The prompt of a roll for somebody of whom something is true, or of what they noted, where
        that is the character; None where it isn't."""
        rolls = any(field.kind in ("die", "outcome", NOTED) for field in spec.fields)
        if not rolls or not any(self.maker.true_of(self.me, what) for what in whom.options):
            return None
        stored = (e.because for e in self.me.effects if {e.name, e.kind} & {*whom.options})
        technique = _specs(self.ruleset).get(next(stored, ""))
        fields: list[Field] = []
        for field in spec.fields:
            if field is whom:
                fields.append(replace(field, kind="self"))
            elif field.kind == NOTED:
                fields += technique.fields if technique is not None else ()
            else:
                fields.append(field)
        name = technique.technique if technique is not None else ""
        return replace(spec, fields=tuple(fields), technique=name)

    def _form(
        self, form_id: str, spec: PromptSpec, group: Group, option: AvailableAction | None = None
    ) -> Iterator[_Form]:
        """The form of a prompt; none where it asks for what a form can't."""
        asked: list[Asked] = []
        for field in spec.fields:
            if not self.maker.may_apply(field, asked):
                continue
            found = self.maker.ask(field, spec, asked)
            if found is None:
                return
            asked.append(found)
            asked += self.maker.behind_technique(spec, asked)
        reason = option.reason if option is not None else ""
        if not reason or spec.is_by_what_is_picked:
            more, reason = self.maker.more(spec, asked)
            asked += more
        fields = tuple(each.field for each in asked if each.field is not None)
        if reason and group == "other":
            return
        lacks = (f for f in fields if f.kind == "combatant" and not (f.options or f.optional))
        if not reason and any(lacks):
            reason = "there is nobody to use it on"
        cost = cost_in_words(self.tables, option.cost) if option is not None else ""
        label, reason = to_one_line(spec.label), to_one_line(reason)
        shown = ProposalForm(form_id, label, group, cost, reason, fields)
        yield _Form(shown, self, spec, tuple(asked))


def cost_in_words(tables: Tables, cost: Mapping[str, int]) -> str:
    """Say what something costs, each track by its name: `2 AP`."""
    parts = []
    for track, by in cost.items():
        row = tables.track(track)
        is_one = row.shown in ("badge", "box") and by == 1
        plus = "+" if row.counts == "marked" else ""
        parts.append(row.label if is_one else f"{plus}{by} {row.label}")
    return ", ".join(parts)
