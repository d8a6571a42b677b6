"""The fields of a form: the questions to a player, from the fields of the GM's prompts.

A form is a prompt that shows all its fields at once. `FormFields.shown` has what a phone shows of
each, and `FormFields.line` the command from the answers. It knows the fight as the players do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import product
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.decide import Continuation, complete, decide
from affray.core.engine.durations import UNTIL_WORDS
from affray.core.engine.foresight import Foresight
from affray.core.engine.history import EarlierEntry
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.effects import effect_with_amounts
from affray.core.formatting.safe_text import to_id, to_one_line
from affray.core.parser.declarations import PromptSpec
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import (
    ANY_MORE,
    ANY_WORD,
    HEARD,
    IN_FULL,
    LINE,
    OFFERED,
    PERSON_KINDS,
    SEVERAL,
    WORD,
    Field,
)
from affray.core.parser.spelling import known_as
from affray.core.parser.tokens import tokenize
from affray.core.rules.proposals import refusal_in_words
from affray.core.rules.ruleset import Ruleset
from affray.tui.prompts import choice_fields, value_fields
from affray.tui.prompts.asked_fields import AskedFields
from affray.tui.prompts.combatant_fields import CombatantField, CombatantFieldBase
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.dice_fields import DamageField, OutcomeField
from affray.tui.prompts.die_field import DieField
from affray.tui.prompts.effect_fields import (
    EDGES,
    CurrentEffectField,
    DurationField,
    EffectField,
)
from affray.tui.prompts.field import ACTOR, PromptField
from affray.tui.prompts.more_field import MoreField
from affray.tui.prompts.several_combatants import CombatantsField, NamedCombatants

FieldKind = Literal["combatant", "number", "die", "damage", "choice", "text", "flag"]
Answers = Mapping[str, str | list[str]]
Options = list[tuple[str, str]]

NATURAL, ROLL = "natural", ("roll", "roll for me")
SOURCE = "from"
"""The word before the source of an effect, or before a holder."""
NOBODY = "nobody has that name"
"""The refusal of a name that the players don't know, whether or not somebody hidden has it."""
MOST_TRIED = 8
"""The most answers to the first field that are tried, to find out if any can be given."""
MOST_OF_A_DIE, MOST_CHARACTERS = 100, 200
"""The highest number on dice of any kind, and the most characters of a text."""
ABBREVIATED = {"dc": "DC"}
"""Labels that are no words."""
_FACES = re.compile(r"\d{1,3}(,\d{1,3}){0,19}")
_NUMBER = re.compile(r"[+-]?\d{1,5}")


class FormField(Struct, frozen=True):
    """One field of a form.

    name      its name in the answer
    kind      what sort of answer it is: one of the `options` for `combatant` and `choice`; the
              number on a die, or one of the `options` in its place; an amount of `damage` or dice,
              with its type if `options` has any, or `roll` if it has that; words, with known
              ones as `options`; a `flag` is the value of its only option, or left out
    options   value -> label, in their order
    optional  True if it may be left out
    several   True if it takes a list of answers
    only_if   the earlier answer, or earlier field, without which it isn't asked; empty for always
    aside     True if it is folded away after the others, as nobody has to answer it
    """

    name: str
    kind: FieldKind
    label: str
    options: tuple[tuple[str, str], ...] = ()
    optional: bool = False
    several: bool = False
    only_if: str = ""
    aside: bool = False


class Asked(NamedTuple):
    """A prompt's field with the form's field for it."""

    field: PromptField
    shown: FormField


class Asker:
    """A character in the fight as the players know it, for whom to make forms.

    needed_by_words  keyword of a command -> the field that must follow, as found so far; None for
                     none. It holds for any fight of the game.
    """

    def __init__(
        self,
        state: Encounter,
        ruleset: Ruleset,
        me: Combatant,
        previous: EarlierEntry | None,
        needed_by_words: dict[tuple[str, str], Field | None],
    ) -> None:
        self.state, self.ruleset, self.me = state, ruleset, me
        self.needed_by_words = needed_by_words
        self.view = PromptContext(
            state, ruleset, me.id, me.id, lambda line: complete(state, line, ruleset),
            Foresight(lambda line, dice: decide(state, line, ruleset, dice, previous)),
            previous=previous,
        )  # fmt: skip
        self.called: dict[str, str] = {}
        """id -> the name in a form: the players' name, different for each."""
        for combatant in state.in_order():
            name, taken = to_one_line(combatant.name), set(self.called.values())
            more = (f"{name} ({number})" for number in range(2, len(taken) + 3))
            self.called[combatant.id] = next(n for n in (name, *more) if n not in taken)

    def needed(self, command: str, word: str, line: str = "") -> Field | None:
        """Find the field that must follow the last word of a line, or without a line the first word
        of a command; None if nothing must, and a `word` for a word that can't be used now."""
        key = (command, word)
        if key not in self.needed_by_words:
            refused = self.view.follow(line).refused if line else ""
            more = self.view.follow(f"{line} {word}" if line else f"{command} {word} {self.by}")
            if line and more.needed is None and more.refused not in ("", refused):
                return Field(WORD)
            self.needed_by_words[key] = more.needed
        return self.needed_by_words[key]

    @property
    def by(self) -> str:
        """The end of a command that this character gives."""
        return f"{ACTOR} {self.me.id}"


class FormFields(AskedFields):
    """The fields of a form, which answers fill in."""

    at_once = True

    def __init__(self, spec: PromptSpec, asker: Asker) -> None:
        self.asker = asker
        super().__init__(spec, asker.view)
        self.asked: list[Asked] = []
        self.shown: list[FormField] = []  # the same, as the form shows them
        self.lacks = False  # whether it asks for what a form can't
        for field in self.fields:
            self._ask(field)

    def _ask(self, field: PromptField, aside: bool = False) -> None:
        """Show a field, unless it needs no asking, or never applies. The later fields are asked as
        if it were answered."""
        if not self._may_apply(field) or self._is_certain(field):
            return
        shown = self._shown(field)
        if shown is not None:
            self.shown.append(replace(shown, aside=aside, optional=shown.optional or aside))
            self.asked.append(Asked(field, self.shown[-1]))
            with suppress(Refused):
                self._fill(field, shown, _sample_answer(shown, "aims"))

    def _ask_more(self) -> None:
        """Do nothing: the other words of the command are among the fields."""

    def _add(self, asked: Field, spec: PromptSpec, view: PromptContext) -> None:
        """Add a field; after a technique also the fields that some techniques need, such as the
        readied spell."""
        super()._add(asked, spec, view)
        field = self.fields[-1]
        if isinstance(field, CombatantField) and self._is_certain(field):
            field.pick = self.asker.me.id
        for word, _ in field.rows() if isinstance(field, choice_fields.TechniqueField) else ():
            needed = self.asker.needed(self.spec.command, word)
            if needed is not None and needed.kind not in ANY_WORD:
                super()._add(replace(needed, only_if=word, name=needed.kind), spec, view)

    @property
    def nobody(self) -> str:
        """The reason why there is nobody to name; empty if there is somebody."""
        lacks = (a.field for a in self.asked if a.shown.kind == "combatant" and not a.shown.options)
        field = next(lacks, None)
        if isinstance(field, CombatantField):
            return field.nobody
        return "there is nobody to use it on" if field is not None else ""

    def _is_certain(self, field: PromptField) -> bool:
        """True for a field that needs no asking: the actor, the source of their own effects, or a
        word that is there already."""
        spec = field.spec
        return (
            spec.kind in (WORD, "sure", "self")
            or spec.before == ACTOR
            or (self.spec.acts and spec.before == SOURCE and self._lasts)
        )

    @property
    def _lasts(self) -> bool:
        """True if the act has an end to choose."""
        return any("until" in (a.field.spec.kind, a.field.spec.before) for a in self.asked)

    def _may_apply(self, field: PromptField) -> bool:
        """True if an answer, or the character's state, could make a field apply."""
        wanted = field.spec.only_if
        if not wanted or wanted in self._words_before(field):
            return True
        if any(each.spec.kind == OFFERED for each in field.earlier):
            return True
        asks_whom = any(a.shown.kind == "combatant" for a in self.asked)
        return asks_whom or self.view.true_of(self.asker.me, wanted)

    def _words_before(self, field: PromptField) -> set[str]:
        """The words that may precede a field."""
        words = {word for each in field.earlier for word in (each.spec.before, *each.spec.options)}
        return words | {word for each in self.shown for word, _ in each.options}

    # -- what the form shows -----------------------------------------------------------------------

    def _shown(self, field: PromptField) -> FormField | None:
        spec = field.spec
        kind, options = self._options(field)
        several = isinstance(field, CombatantsField) or type(field) is choice_fields.ToggleField
        is_amount = isinstance(field, DamageField | value_fields.NumberField)
        optional = bool(spec.optional) or (is_amount and spec.kind not in ("number", "dice"))
        optional |= spec.kind in (*HEARD, "again", "verb")
        is_more = spec.kind in (LINE, ANY_MORE.kind) and (optional or not spec.name)
        if is_more or (not options and (kind == "choice" or (kind == "combatant" and optional))):
            self.lacks |= not optional
            return None
        if kind == "choice" and several and len(options) == 1 and spec.name != ANY_MORE.kind:
            kind, several = "flag", False
        stem = name = spec.name or spec.before or spec.kind
        taken = {each.name for each in self.shown}
        while name in taken:
            name = f"{stem}-{sum(t.startswith(stem) for t in taken) + 1}"
        rows = tuple(dict(options).items())
        return FormField(
            name, kind, self._label(field), rows, optional, several, self._only_if(field)
        )

    def _options(self, field: PromptField) -> tuple[FieldKind, Options]:
        """The kind of the form's field, and its options."""
        match field:
            case CombatantFieldBase():
                return "combatant", self._people(field)
            case OutcomeField():
                rules = self.view.ruleset.tables.outcomes
                words = field.words_by_key.values()
                return "die", [ROLL, *((word, rules[word].label or word) for word in words)]
            case DieField():
                return "die", [ROLL]
            case DamageField():
                types = self.view.ruleset.tables.damage_types
                return "damage", [*_as_they_are((*types, *field.spec.options)), ROLL]
            case value_fields.DiceField():
                return "damage", []
            case value_fields.NumberField():
                return "number", _as_they_are(field.words_by_key.values())
            case value_fields.NameField():
                between = {ACTOR, *(each.before for each in self.spec.fields)}
                names = [word for word in field.choices if word not in between]
                return "text", _as_they_are(names or self._known_words(field))
            case value_fields.TextField() | MoreField():
                return "text", _as_they_are(self._known_words(field))
            case CurrentEffectField():
                return "choice", [(word, _without_note(field, word)) for word, _ in field.rows()]
            case EffectField():
                return "choice", [*field.own_kind.items()]
            case choice_fields.PickField():
                return "choice", field.rows()
            case DurationField():
                return "choice", [(word, _until_label(word)) for word in field.spec.options]
            case choice_fields.WordOfField():
                return "choice", _in_full(field.spec.options)
            case choice_fields.WeaponField():
                return "choice", _as_they_are(field.choices)
            case choice_fields.ChoiceField() | choice_fields.ToggleField():
                return "choice", _in_full(field.choices)
            case _:
                raise AssertionError(field)

    def _people(self, field: CombatantFieldBase) -> Options:
        """The combatants a field may name, likely ones first, by the names that players know.

        Something that can't be hurt, such as the weather, is left out.
        """
        helps, me = field.at_allies, self.asker.me
        health = self.view.ruleset.tables.health
        fit = [self.view.state[each] for each in field.candidates]
        fit = [each for each in fit if each.side != "world" or health in each.tracks]
        fit.sort(key=lambda c: (c.is_out, (c.side == me.side) is not helps))
        return _as_they_are(self.asker.called[each.id] for each in fit)

    def _known_words(self, field: PromptField) -> list[str]:
        """The words that completion offers for the first required answer."""
        if field.spec.optional or field.spec.kind == "faces" or self.shown:
            return []
        by = self.asker.by if self.spec.acts else ""
        ids = {combatant.id for combatant in self.view.state.combatants}
        found = self.view.complete(f"{field.so_far(by)} ")
        words = [word.strip('"') for word in found if word not in ids and word != ACTOR]
        return list({to_id(word): word for word in reversed(words)}.values())[::-1]

    def _only_if(self, field: PromptField) -> str:
        wanted = field.spec.only_if
        if wanted and wanted in self._words_before(field):
            return wanted
        if not isinstance(field, DieField | DamageField):  # rolled at somebody, who may be left out
            return ""
        aims = [a.shown for a in self.asked if a.field.spec.kind in ("target", SEVERAL)]
        return next((aim.name for aim in aims if aim.optional), "")

    def _label(self, field: PromptField) -> str:
        """The form's label of a field, different from all earlier ones: with its owner if somebody
        was named since, with its moment, or with its argument."""
        label, asked = _plain_label(field), self.shown
        tracks = self.view.ruleset.tables.tracks
        if label == "targets" and not isinstance(field, CombatantsField):
            label = "target"
        label = tracks[label].label if label in tracks else ABBREVIATED.get(label, label)
        is_of_several = any(each.several and each.kind == "combatant" for each in asked)
        if is_of_several and isinstance(field, DieField):
            label = f"{label}, one for each"
        alike = [n for n, each in enumerate(asked) if each.label == label]
        if not alike:
            return label
        of_other = any(each.kind == "combatant" for each in asked[alike[0] :])
        spec = field.spec
        words = [word for word in (spec.only_if, spec.name, spec.before) if word]
        labels = [f"the other's {label}"] if of_other else []
        labels += [f"{label} ({word.replace('-', ' ')})" for word in words]
        labels += [f"{label} {number}" for number in range(2, len(asked) + 2)]
        taken = {each.label for each in asked}
        return next(each for each in labels if each not in taken)

    # -- what else the command takes ---------------------------------------------------------------

    def more(self) -> str:
        """Ask for everything else that the command takes after a complete line, by the parser: a
        prompt's `more`. Returns why the command can't be given now, whatever the answers; empty if
        it can.
        """
        line, found = "", Continuation()
        for most in ("dice", "aims", "needed", "called"):
            with suppress(Refused):
                self.fill(self._sample(most))
                line, found = self.line, self.view.follow(self.line)
                if found.words or not found.refused:
                    break
        if found.refused and (barred := self._barred()):
            return barred
        self._require_aim()
        tables = self.view.ruleset.tables
        asked = {ACTOR, NATURAL, ROLL[0], *tables.outcomes, *tables.damage_types}
        for each, shown in self.asked:
            spec = each.spec
            asked |= {spec.name, spec.before, spec.after, *spec.options}
            asked |= {word for word, _ in shown.options}
            asked |= {"with"} if spec.kind == "weapon" else set()
        flags, fields = list[str](), list[Field]()
        for word in found.words:
            if word in asked or self.view.state.find(word) is not None:
                continue
            needed = self.asker.needed(self.spec.command, word, line)
            if needed is None:
                flags.append(word)
            elif needed.kind != WORD and (field := self._said_with(needed, word, line)):
                fields.append(field)
        if flags:
            fields.insert(0, Field("said", tuple(flags), optional=True, name=ANY_MORE.kind))
        for keyword in fields:
            self._add(keyword, self.spec, self.view)
            self.fields[-1].stands_behind = True
            self._ask(self.fields[-1], aside=True)
        return ""

    def _require_aim(self) -> None:
        """Require those whom it is used on, if the command takes nothing without them."""
        aims = [a for a in self.asked if a.shown.kind == "combatant" and a.shown.optional]
        if len(aims) != 1 or not self._is_refused("needed") or self._is_refused("aims"):
            return
        due = replace(aims[0].shown, optional=False)
        self.shown[self.shown.index(aims[0].shown)] = due
        self.asked[self.asked.index(aims[0])] = Asked(aims[0].field, due)

    def _is_refused(self, most: str) -> bool:
        try:
            self.fill(self._sample(most))
        except Refused:
            return True
        return bool(self.view.follow(self.line).refused)

    def _said_with(self, needed: Field, word: str, line: str) -> Field | None:
        """The field after a keyword, for people with those whom the command takes; None if
        unknown."""
        needed = replace(
            needed,
            before=word,
            after="",
            only_if="",
            name=word,
            optional=True,
            legal=needed.kind in PERSON_KINDS,
        )
        if needed.kind != OFFERED:
            return needed
        words = self.view.follow(f"{line} {word}").words
        row = {to_id(each): each for each in words if self.view.state.find(each) is None}
        if word == "until":
            ends = tuple(each for each in row.values() if each in UNTIL_WORDS)
            return replace(needed, kind="until", options=ends, before="") if ends else None
        return replace(needed, kind="choice", options=(*row.values(),)) if row else None

    def _barred(self) -> str:
        """The reason why the command is refused, whatever the answers are."""
        chosen = (f for f in self.shown if f.options)
        first = next((f for f in chosen if f.kind in ("combatant", "choice", "text")), None)
        picks = [value for value, _ in first.options[:MOST_TRIED]] if first is not None else [""]
        why = ""
        for pick, most in product(picks, FILLED):
            answers = self._sample(most)
            if first is not None and answers[first.name]:
                answers[first.name] = [pick] if first.several else pick
            try:
                self.fill(answers)
            except Refused as refusal:
                why = why or str(refusal)
                continue
            found = self.view.preview_command(self.line)
            if not isinstance(found, Refused):
                return ""
            why = why or refusal_in_words(self.view.state, found)
        return why

    def _sample(self, most: str) -> dict[str, str | list[str]]:
        """Sample answers to as much of the form as a word of `FILLED` says."""
        return {field.name: _sample_answer(field, most) for field in self.shown}

    # -- answers -----------------------------------------------------------------------------------

    def fill(self, answers: Answers) -> None:
        """Answer the fields. Raises Refused for invalid answers, and for a missing one that is
        required, with the name of the field."""
        for field, shown in self.asked:
            with refused_at(shown):
                self._fill(field, shown, answers.get(shown.name, ""))

    def _fill(self, field: PromptField, shown: FormField, given: str | list[str]) -> None:
        parts = [to_one_line(part) for part in ([given] if isinstance(given, str) else given)]
        parts = [part for part in parts if part]
        if len(parts) > 1 and not shown.several:
            raise Refused(f"{shown.label}: give just one answer")
        if isinstance(field, choice_fields.ToggleField):
            _require_offered(shown, parts)
            field.chosen = tuple(parts)
            return
        field.clear()
        if parts:
            self._answer(field, shown, parts)
        elif not shown.optional and field.applies():
            _require_nothing(field, shown)

    def _answer(self, field: PromptField, shown: FormField, parts: Sequence[str]) -> None:
        """Give a field its answer; raises Refused for an invalid one."""
        answer = parts[0]
        if isinstance(field, CombatantFieldBase):
            ids = {name.casefold(): who for who, name in self.asker.called.items()}
            offered = {name.casefold() for name, _ in shown.options}
            names = [known_as(part, ids) for part in parts]
            if any(name not in offered for name in names):
                raise Refused(NOBODY)
            if isinstance(field, CombatantsField):
                people = dict.fromkeys(ids[name] for name in names)
                field.name_people(NamedCombatants(tuple(people)))
            else:
                field.choose(ids[names[0]])
            return
        if shown.kind == "choice":
            _require_offered(shown, parts)
        if isinstance(field, DurationField):
            field.word = answer
        elif isinstance(field, value_fields.TextField):
            field.text = _words(field, shown, answer)
        elif isinstance(field, MoreField):
            field.given = _words(field, shown, answer)
        elif isinstance(field, DieField | DamageField) and answer == ROLL[0]:
            field.rolls = True
        else:
            if isinstance(field, DieField) and answer not in dict(shown.options):
                answer = f"{NATURAL} {die_as_it_lies(answer, field.most, field.die)}"
            words = tokenize(answer)
            if field.read(words) != len(words) or not field.answer:
                wants = EXPECTED.get(shown.kind, "another answer")
                raise Refused(f"{shown.label}: expected {wants}")


def _require_offered(shown: FormField, parts: Sequence[str]) -> None:
    values = [value for value, _ in shown.options]
    if any(part not in values for part in parts):
        raise Refused(f"{shown.label}: choose one of those offered")


def _require_nothing(field: PromptField, shown: FormField) -> None:
    """Leave a field without an answer; raises Refused if one is required."""
    rolled_by_other = isinstance(field, DieField) and field.rolled_by
    if rolled_by_other:  # it is not theirs: who has it may say another
        field.rolls = True
    elif field.missing or shown.kind in ("combatant", "choice"):
        how = "choose one" if shown.options else TYPED.get(shown.kind, "type it")
        if shown.options and shown.kind in TYPED:
            how = f"{how}, or {TYPED[shown.kind]}"
        raise Refused(f"{shown.label}: {how}")


@contextmanager
def refused_at(shown: FormField) -> Iterator[None]:
    """Give what is refused meanwhile the name of the field that it is about."""
    try:
        yield
    except Refused as refusal:
        refusal.field = shown.name
        raise


def _sample_answer(field: FormField, most: str) -> str | list[str]:
    """A sample answer, if a word of `FILLED` includes the field; else none."""
    kind = {"combatant": "aims", "die": "dice"}.get(field.kind, "all")
    if field.optional and FILLED.index(kind) > FILLED.index(most):
        return ""
    values = [value for value, _ in field.options]
    usual = {"die": ROLL[0], "damage": "1", "number": "1", "text": "1"}
    answer = usual.get(field.kind, "") if field.kind == "damage" or not values else values[0]
    if field.kind == "die" and most == "called":
        answer = values[-1]
    return [answer] if field.several and answer else answer


FILLED = ("needed", "aims", "dice", "called", "all")
"""How much of a form to answer, to find out what the command takes: required fields, the targets as
well, the dice or their outcomes as well, all."""
TYPED = {
    "die": "type the number on it",
    "number": "type a number",
    "damage": "type a number",
    "text": "type it",
}
"""What to do about a field that lacks an answer, by its kind."""
EXPECTED = {"number": "a number", "damage": "a number or dice such as 2d6+3, and its type if any"}


# -- single answers --------------------------------------------------------------------------------


def require_short(field: FormField, given: str | list[str]) -> None:
    """Raise Refused for an answer that is longer than words may be, unless the form offers it."""
    offered = {value for value, _ in field.options}
    for part in [given] if isinstance(given, str) else given:
        if len(part) > MOST_CHARACTERS and part not in offered:
            raise Refused(f"{field.label}: no more than {MOST_CHARACTERS} characters")


def one_answer(answers: Answers, name: str) -> str:
    given = answers.get(name, "")
    if not isinstance(given, str):
        raise Refused(f"{name}: give just one answer")
    return to_one_line(given)


def die_as_it_lies(answer: str, most: int, dice: str) -> str:
    """Return the numbers on dice, with commas between. Raises Refused for an impossible one."""
    if not _FACES.fullmatch(answer) or any(int(n) > most for n in answer.split(",")):
        raise Refused(f"{answer[:20]} is not a number on a {dice}")
    return answer


def number_answer(answer: str, what: str) -> str:
    if not _NUMBER.fullmatch(answer):
        raise Refused(f"{what}: expected a number")
    return answer


def quoted_words(answer: str, what: str) -> str:
    """Return words as a command takes them; raises Refused for none."""
    if not answer:
        raise Refused(f"{what} is missing")
    text = answer.replace('"', "'")
    return f'"{text}"'


def _words(field: PromptField, shown: FormField, answer: str) -> str:
    """The words of an answer, as the field takes them. Raises Refused for words that can't stand
    there: the rest of a command must be plain words."""
    if field.spec.kind == "faces" and not _FACES.fullmatch(answer):
        raise Refused(f"{shown.label}: expected the numbers on the dice, such as 7 or 7,3")
    if field.spec.kind not in (LINE, ANY_MORE.kind):
        return answer
    words = answer.split()
    if answer in dict(shown.options) and len(words) > 1:
        return quoted_words(answer, shown.label)
    if ACTOR in words or any(not re.fullmatch(r"[\w'-]+", word) for word in words):
        raise Refused(f"{shown.label}: expected plain words")
    return " ".join(words)


def _as_they_are(words: Iterable[str]) -> Options:
    """Options labelled by their values."""
    return [(word, word) for word in words]


def _in_full(words: Iterable[str]) -> Options:
    return [(word, IN_FULL.get(word, word).replace("-", " ")) for word in words]


def _plain_label(field: PromptField) -> str:
    """A form's label of a field, ignoring its other fields."""
    spec = field.spec
    if isinstance(field, DieField):
        by_other = field.rolled_by not in ("", "self")
        return f"the {field.rolled_by}'s {field.die}" if by_other else field.die
    if spec.kind in ("text", "kept", "number", "dice"):
        around = " ".join(filter(None, (spec.before, spec.after)))
        called = next(iter(spec.options), "") if spec.kind in ("text", "kept") else ""
        bare = "how many" if spec.kind == "number" else spec.kind
        return (around or called or spec.name or bare).replace("-", " ")
    labels = {SEVERAL: "targets", "weapon": "with", "said-of": spec.before}
    labels |= {kind: kind for kind in ("ally", "damage")}
    alone = spec.options[0] if len(spec.options) == 1 else "also"
    labels["said"] = "more" if spec.name == ANY_MORE.kind else IN_FULL.get(alone, alone)
    unnamed = {"choice": "outcome" if "success" in spec.options else "which", "anyone": "who"}
    return (labels.get(spec.kind) or spec.name or unnamed.get(spec.kind, spec.kind)).replace(
        "-", " "
    )


def _without_note(field: CurrentEffectField, word: str) -> str:
    """An effect as its own player may know it: without the GM's note."""
    bearer = field.person_before()
    effect = (bearer.named(word) or bearer.effect(word)) if bearer is not None else None
    return effect_with_amounts(replace(effect, note="")) if effect is not None else word


def _until_label(word: str) -> str:
    if word in EDGES:
        return f"until the {word} of my next turn"
    named = {"rest": "a rest", "fight": "the fight is over", "used": "it is used"}
    return f"until {named.get(word, word)}" if word in UNTIL_WORDS else word.replace("-", " ")
