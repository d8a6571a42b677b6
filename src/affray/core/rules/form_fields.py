"""The fields of a form: what a player is asked, made of what a command's arguments declare.

`FormMaker.ask` makes a form's field of a declared one, and `FormMaker.line` the command of the
answers. It is the phone's counterpart of the prompts' fields, without keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import product
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import StubDice
from affray.core.engine.decide import Continuation, complete, decide, follow
from affray.core.engine.durations import UNTIL_WORDS
from affray.core.engine.history import EarlierEntry
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.effects import effect_with_amounts
from affray.core.formatting.safe_text import to_id, to_one_line
from affray.core.parser.declarations import (
    PromptSpec,
    at_allies,
    is_true_of,
    leaves_out_actor,
)
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import (
    ALLIES,
    ANY_MORE,
    ANY_WORD,
    HEARD,
    IN_FULL,
    LINE,
    NOTED,
    OFFERED,
    OWN,
    PERSON_KINDS,
    SEVERAL,
    WORD,
    Field,
    names_somebody,
)
from affray.core.parser.spelling import known_as
from affray.core.rules.known_answers import (
    effects_of_kind,
    known_names,
    names_kept_up,
    techniques_paid_with,
)
from affray.core.rules.ruleset import Ruleset

FieldKind = Literal["combatant", "number", "die", "damage", "choice", "text", "flag"]
Answers = Mapping[str, str | list[str]]

BY, NATURAL = "by", "natural"
EDGES = ("start", "end")
AIMS, ROLLS = ("target", SEVERAL), ("outcome", "die", "damage")
NAMES = ("spell", "kept", "item", "clock", "environment", "feature", "named-effect", "counter")
_AMOUNT = re.compile(r"\d{1,4}|\d{1,2}d\d{1,3}([+-]\d{1,3})?")
_FACES = re.compile(r"\d{1,3}(,\d{1,3}){0,19}")
_NUMBER = re.compile(r"[+-]?\d{1,5}")
_USUAL_DIE = 20


ROLL = ("roll", "roll for me")
NOBODY = "there is nobody of that name"
"""The refusal of a name that the players don't know, whether or not somebody hidden has it."""
MOST_TRIED = 8
"""The answers to the first field that are tried, to find out whether any can be given."""
MOST_OF_A_DIE, MOST_CHARACTERS = 100, 200
"""The most that dice of any kind may show, and how long words may be that are proposed."""


class FormField(Struct, frozen=True):
    """One thing that a form asks for.

    name      by which it is answered
    kind      what sort of answer it is: one of the `options` for `combatant` and `choice`; what a
              die shows, or one of the `options` in its place; an amount of `damage` or dice, with
              its type if `options` has any, or `roll` where it has that; words, for which the
              `options` are known and others may be written; a `flag` is the value of its only
              option, or left out
    options   value -> label, in their order
    optional  whether it may be left out
    several   whether it takes a list of answers
    only_if   asked only while an earlier answer is this word, or an earlier field of this name is
              answered; empty for always
    aside     whether it stands folded behind the others: what nobody has to say
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
    """A declared field, and the form's field for it; None where nothing has to be asked."""

    source: Field
    field: FormField | None


class FormMaker:
    """Makes the fields of one character's forms, and their commands, in the fight as the players
    know it."""

    def __init__(
        self,
        state: Encounter,
        ruleset: Ruleset,
        me: Combatant,
        previous: EarlierEntry | None = None,
    ) -> None:
        self.state, self.ruleset, self.me, self.previous = state, ruleset, me, previous
        self._words_behind: dict[tuple[str, str], tuple[str, ...]] = {}  # keywords of commands
        self.tables = ruleset.tables

    # -- what a form asks --------------------------------------------------------------------------

    def may_apply(self, field: Field, before: Sequence[Asked]) -> bool:
        """Return whether an answer could make a field apply, or how the character is does."""
        wanted = field.only_if
        if not wanted or any(
            wanted in (a.source.before, *a.source.options) or a.source.kind == "offered"
            for a in before
        ):
            return True
        asks_whom = any(a.field is not None and a.field.kind == "combatant" for a in before)
        return asks_whom or self.true_of(self.me, wanted)

    def ask(self, field: Field, spec: PromptSpec, before: Sequence[Asked]) -> Asked | None:
        """Make what a form asks for a declared field; None where a form can't ask for it."""
        if field.kind in (WORD, "sure", "self") or field.before == BY:
            return Asked(field, None)
        if field.kind == NOTED:
            return None
        if field.kind in (LINE, ANY_MORE.kind):
            if field.optional:
                return Asked(field, None)
            words = self._known_words(field, spec, before) if field.name else []
            found = self._field(field, before, "text", _as_they_are(words))
            return Asked(field, found) if field.name else None
        if names_somebody(field):
            people = self._people(field, spec)
            several = field.kind == SEVERAL
            return Asked(field, self._field(field, before, "combatant", people, several=several))
        if field.kind in ("outcome", "die"):
            rows = self.tables.outcomes
            words = self._follow(spec, before) if field.kind == "outcome" else ()
            called = [(word, rows[word].label or word) for word in words if word in rows]
            return Asked(field, self._field(field, before, "die", [ROLL, *called]))
        if field.kind == "damage":
            types = [*_as_they_are((*self.tables.damage_types, *field.options)), ROLL]
            return Asked(field, self._field(field, before, "damage", types, optional=True))
        if field.kind == "dice":
            return Asked(field, self._field(field, before, "damage"))
        if field.kind in ("number", "faces", "text"):
            kind: FieldKind = "number" if field.kind == "number" else "text"
            words = field.options if kind == "number" else self._known_words(field, spec, before)
            return Asked(field, self._field(field, before, kind, _as_they_are(words)))
        if field.kind in NAMES:
            words = names_kept_up(field, self.me)
            words += known_names(field, self.ruleset, self.state, self.me)
            words = words or self._known_words(field, spec, before)
            return Asked(field, self._field(field, before, "text", _as_they_are(words)))
        options = self._choices(field, spec, before)
        if options is None:  # an amount of something that only this game has
            return Asked(field, self._field(field, before, "number", optional=True))
        if not options:
            return Asked(field, None) if field.optional or field.kind in HEARD else None
        if field.kind == "said" and len(options) == 1:
            return Asked(field, self._field(field, before, "flag", options, optional=True))
        heard = field.kind in HEARD or field.kind in ("again", "verb")
        several = field.kind == "said"
        return Asked(
            field,
            self._field(field, before, "choice", options, several=several, optional=heard or None),
        )

    def _field(
        self,
        field: Field,
        before: Sequence[Asked],
        kind: FieldKind,
        options: Iterable[tuple[str, str]] = (),
        *,
        several: bool = False,
        optional: bool | None = None,
    ) -> FormField:
        """The form's field of a declared one, by a name that none before it has."""
        stem = name = field.name or field.before or field.kind
        taken = {a.field.name for a in before if a.field is not None}
        while name in taken:
            name = f"{stem}-{sum(t.startswith(stem) for t in taken) + 1}"
        words = {w for a in before for w in (a.source.before, *a.source.options)}
        words |= {w for a in before if a.field is not None for w, _ in a.field.options}
        is_optional = bool(field.optional if optional is None else optional)
        only_if = field.only_if if field.only_if in words else ""
        if not only_if and field.kind in ROLLS:  # what is rolled at somebody, who may be left out
            aims = (a.field for a in before if a.source.kind in AIMS and a.field is not None)
            only_if = next((aim.name for aim in aims if aim.optional), "")
        return FormField(
            name,
            kind,
            self._label(field, before),
            tuple(dict(options).items()),
            is_optional,
            several,
            only_if,
        )

    def _label(self, field: Field, before: Sequence[Asked]) -> str:
        """The form's label of a field, different from all labels before: with its owner where
        somebody was named since, with its moment, or by its argument."""
        label = _plain_label(field)
        asked = [each.field for each in before if each.field is not None]
        is_of_several = any(each.several and each.kind == "combatant" for each in asked)
        if is_of_several and field.kind in ("outcome", "die"):
            label = f"{label}, one for each"
        alike = [n for n, each in enumerate(asked) if each.label == label]
        if not alike:
            return label
        of_other = any(each.kind == "combatant" for each in asked[alike[0] :])
        words = [word for word in (field.only_if, field.name, field.before) if word]
        labels = [f"the other's {label}"] if of_other else []
        labels += [f"{label} ({word.replace('-', ' ')})" for word in words]
        labels += [f"{label} {number}" for number in range(2, len(asked) + 2)]
        taken = {each.label for each in asked}
        return next(each for each in labels if each not in taken)

    def _people(self, field: Field, spec: PromptSpec) -> list[tuple[str, str]]:
        """The combatants a field may name, likely ones first, by the names that players know."""
        others = leaves_out_actor(field, spec)
        fit = [
            combatant
            for combatant in self.state.in_order()
            if not (others and (combatant.id == self.me.id or combatant.life == "dead"))
            and (
                field.kind != "person"
                or any(self.true_of(combatant, what) for what in field.options)
            )
        ]
        meant = at_allies(field, spec)
        helps = meant.kind == "ally" or ALLIES in meant.options
        fit.sort(key=lambda c: (c.is_out, (c.side == self.me.side) is not helps))
        return [(name, name) for name in (self.called[c.id] for c in fit)]

    @cached_property
    def called(self) -> dict[str, str]:
        """The name of each in a form, by id: what the players call them, and never twice."""
        names: dict[str, str] = {}
        for combatant in self.state.in_order():
            name, taken = to_one_line(combatant.name), set(names.values())
            more = (f"{name} ({number})" for number in range(2, len(taken) + 3))
            names[combatant.id] = next(n for n in (name, *more) if n not in taken)
        return names

    def true_of(self, combatant: Combatant, what: str) -> bool:
        """True if somebody is what a field's option says, with the character as the actor."""
        return is_true_of(self.ruleset, self.state, self.me.id, combatant, what)

    def _follow(self, spec: PromptSpec, before: Sequence[Asked]) -> Sequence[str]:
        """The words that the parser takes behind what stands there already."""
        with suppress(Refused):
            line = self.line(spec, before, _sample_answers(before, "aims"))
            return follow(self.state, line, self.ruleset).words
        return ()

    def _known_words(
        self, field: Field, spec: PromptSpec, before: Sequence[Asked]
    ) -> Sequence[str]:
        """The words that completion knows for a field that must be answered, where nothing is asked
        before it but whom a counter is of: that is the character then."""
        if field.optional or field.kind == "faces":
            return []
        asked = [each for each in before if each.field is not None]
        if field.kind == "counter" and all(names_somebody(each.source) for each in asked):
            before = [each for each in before if each.field is None]
            return self._completed(spec, before, [self.me.id] if asked else [])
        if asked:
            return []
        return self._completed(spec, before, [BY, self.me.id] if spec.acts else [])

    def _completed(
        self, spec: PromptSpec, before: Sequence[Asked], more: Sequence[str] = ()
    ) -> Sequence[str]:
        """The words that completion knows behind what stands there already, but for anybody."""
        so_far = [spec.command, *(self._words(a, "") for a in before), *more]
        ids = {combatant.id for combatant in self.state.combatants}
        found = complete(self.state, f"{' '.join(filter(None, so_far))} ", self.ruleset)
        words = [word.strip('"') for word in found if word not in ids and word != BY]
        return list({to_id(word): word for word in reversed(words)}.values())[::-1]

    def _choices(
        self, field: Field, spec: PromptSpec, before: Sequence[Asked]
    ) -> list[tuple[str, str]] | None:
        """The words to choose from; None for a kind that has none, an amount."""
        tables, me = self.tables, self.me
        if field.kind in ("choice", "verb", "again", "said", "said-of"):
            return [(word, _as_said(word)) for word in field.options]
        if field.kind == "weapon":
            weapons = self.ruleset.actions.weapons(me)
            return [(name, name) for name in (weapons if field.options else weapons[1:])]
        if field.kind == "damage-type":
            return _as_they_are(tables.damage_types)
        if field.kind == "until":
            return [(word, _until_label(word)) for word in field.options]
        if field.kind == "effect":
            ends = [e for e in me.effects if not field.options or e.until.ends in field.options]
            return [(e.id, effect_with_amounts(replace(e, note=""))) for e in ends]
        if field.kind == "track":
            tracks = {*self._known_words(field, spec, before)} & {*me.tracks} or me.tracks
            return [(name, tables.track(name).label) for name in me.tracks if name in tracks]
        if field.kind == "technique":
            keys, taken = techniques_paid_with(field, tables), self._follow(spec, before)
            keys = [key for key in keys if key in taken] or keys
            return [(key, tables.techniques[key].name or key) for key in keys]
        if field.kind == OWN:
            own = self.ruleset.actions.own_options(tables, self.state, me)
            return [(option.name, option.name) for option in own if option.available]
        if field.kind == "offered":
            if any(a.field is not None for a in before):
                return []
            return _as_they_are(self._completed(spec, before))
        return [*effects_of_kind(field.kind, tables).items()] or None

    # -- what else the command takes ---------------------------------------------------------------

    def behind_technique(self, spec: PromptSpec, asked: Sequence[Asked]) -> list[Asked]:
        """Make the fields of what has to stand behind some of the techniques that were asked for
        last: behind `cast` the spell that is readied."""
        technique = asked[-1].field
        if technique is None or asked[-1].source.kind != "technique":
            return []
        needed_by_words, fields = _needed_by_words(self.ruleset), list[Asked]()
        for word, _ in technique.options:
            key = (spec.command, word)
            if key not in needed_by_words:
                line = f"{spec.command} {word} {BY} {self.me.id}"
                needed_by_words[key] = follow(self.state, line, self.ruleset).needed
            needed = needed_by_words[key]
            if needed is not None and needed.kind not in ANY_WORD:
                field = self.ask(replace(needed, only_if=word, name=needed.kind), spec, asked)
                fields += [field] if field is not None else []
        return fields

    def more(self, spec: PromptSpec, asked: Sequence[Asked]) -> tuple[list[Asked], str]:
        """Make the fields of whatever else the command takes, as the parser says behind a line with
        answers to all that `asked` has: what a prompt has behind `more`.

        With them comes why the command can't be given now, whatever is answered; empty where it
        can.
        """
        line, found = self._sample(spec, asked)
        if found.refused and (barred := self._barred(spec, asked)):
            return [], barred
        asked_already = {
            w for a in asked for w in (a.source.before, a.source.after, *a.source.options)
        }
        asked_already |= {w for a in asked if a.field is not None for w, _ in a.field.options}
        asked_already |= {"with"} if any(a.source.kind == "weapon" for a in asked) else set()
        asked_already |= {BY, NATURAL, ROLL[0], *self.tables.outcomes, *self.tables.damage_types}
        words = [w for w in found.words if w not in asked_already and self.state.find(w) is None]
        flags, fields = list[str](), list[Asked]()
        for word in words:
            needed = self._needed_behind(spec, line, found, word)
            if needed is None:
                flags.append(word)
            elif needed.kind != WORD:
                field = self.ask(needed, spec, [*asked, *fields])
                fields += [field] if field is not None and field.field is not None else []
        if flags:
            flag = Field("said", tuple(flags), optional=True, name=ANY_MORE.kind)
            several = [(word, _as_said(word)) for word in flags]
            field_of_flags = self._field(
                flag, asked, "choice", several, several=True, optional=True
            )
            fields.insert(0, Asked(flag, field_of_flags))
        return [
            each._replace(field=replace(each.field, aside=True)) for each in fields if each.field
        ], ""

    def _barred(self, spec: PromptSpec, asked: Sequence[Asked]) -> str:
        """The reason why a command is refused, whatever the answers are."""
        chosen = (a.field for a in asked if a.field is not None and a.field.options)
        first = next((f for f in chosen if f.kind in ("combatant", "choice", "text")), None)
        picks = [value for value, _ in first.options[:MOST_TRIED]] if first is not None else [""]
        why = ""
        for pick, most in product(picks, FILLED):
            answers = _sample_answers(asked, most)
            if first is not None and first.name in answers:
                answers[first.name] = [pick] if first.several else pick
            try:
                line = self.line(spec, asked, answers)
                decide(self.state, line, self.ruleset, StubDice(high=True), self.previous)
            except Refused as refusal:
                why = why or refusal_in_words(self.state, refusal)
            else:
                return ""
        return why

    def _sample(self, spec: PromptSpec, asked: Sequence[Asked]) -> tuple[str, Continuation]:
        """A line with answers to all that is asked, and what the parser takes behind it; without
        dice where it takes none."""
        line, found = "", Continuation()
        for most in ("dice", "aims", "needed", "called"):
            with suppress(Refused):
                line = self.line(spec, asked, _sample_answers(asked, most))
                found = follow(self.state, line, self.ruleset)
                if found.words or not found.refused:
                    break
        return line, found

    def _needed_behind(
        self, spec: PromptSpec, line: str, found: Continuation, word: str
    ) -> Field | None:
        """The field that must follow the last word of a line; None if none must, and a `word` for a
        word that can't be used now."""
        needed_by_words = _needed_by_words(self.ruleset)
        key = (spec.command, word)
        if key not in needed_by_words:
            more = follow(self.state, f"{line} {word}", self.ruleset)
            if more.needed is None and more.refused not in ("", found.refused):
                return Field(WORD)
            needed_by_words[key] = more.needed
        needed = needed_by_words[key]
        if needed is None:
            return None
        needed = replace(needed, before=word, after="", only_if="", name=word, optional=True)
        if needed.kind == OFFERED:
            if key not in self._words_behind:
                row = follow(self.state, f"{line} {word}", self.ruleset).words
                self._words_behind[key] = tuple(w for w in row if self.state.find(w) is None)
            row = self._words_behind[key]
            return replace(needed, kind="choice", options=row) if row else Field(WORD)
        return needed

    # -- what comes of the answers -----------------------------------------------------------------

    def line(self, spec: PromptSpec, asked: Sequence[Asked], answers: Answers) -> str:
        """Return the command of the answers. Raises Refused for answers that are none."""
        verb, words, tails = spec.command, list[str](), list[str]()
        words_of: list[tuple[Field, str]] = []  # what applies, as words of the command
        people: list[Combatant] = []
        is_passed = False  # whether a roll is not made, without which there is no damage
        for each in asked:
            given = answers.get(each.field.name, "") if each.field is not None else ""
            if not self._applies(each.source, words_of, people):
                is_passed = is_passed or each.source.kind == "outcome"
                continue
            if each.source.kind == "damage" and is_passed:
                continue
            answer = self._words(each, given)
            words_of.append((each.source, answer))
            if names_somebody(each.source) and not people:
                people = [c for c in map(self.state.find, answer.split(",")) if c is not None]
            if not answer or each.source.before == BY:
                continue
            if each.source.kind == "verb":
                verb = answer
            elif each.source.kind in HEARD:
                tails.append(answer)
            else:
                words += filter(None, (each.source.before, answer, each.source.after))
        acts = spec.acts or any(each.source.before == BY for each in asked)
        by = [BY, self.me.id] if acts else []
        return " ".join([verb, *words, *tails, *by])

    def _applies(
        self, field: Field, words_of: Sequence[tuple[Field, str]], people: Sequence[Combatant]
    ) -> bool:
        """True if a field is asked for, after what was answered before and for whom that names."""
        wanted = field.only_if
        if field.kind in ROLLS and not all(a for f, a in words_of if f.kind in AIMS):
            return False  # it is rolled at somebody
        if not wanted or any(a and wanted in (a, f.before) for f, a in words_of):
            return True
        return any(self.true_of(combatant, wanted) for combatant in people or [self.me])

    def _words(self, each: Asked, given: str | list[str]) -> str:
        """The words of one answer; raises Refused where it is none, or is missing."""
        source, field = each.source, each.field
        if field is None:
            is_me = source.kind == "self"
            return self.me.id if is_me else source.options[0] if source.kind == WORD else ""
        parts = [to_one_line(part) for part in ([given] if isinstance(given, str) else given)]
        parts = [part for part in parts if part]
        if len(parts) > 1 and not field.several:
            raise Refused(f"{field.label}: give just one answer")
        if not parts:
            return self._without(source, field)
        if field.kind == "combatant":
            ids = {name.casefold(): who for who, name in self.called.items()}
            offered = {name.casefold() for name, _ in field.options}
            names = [known_as(part, ids) for part in parts]
            if any(name not in offered for name in names):
                raise Refused(NOBODY)
            return ",".join(dict.fromkeys(ids[name] for name in names))
        if field.kind in ("choice", "flag"):
            return self._chosen(source, field, parts)
        answer = parts[0]
        if field.kind == "die":
            is_called = answer in dict(field.options)
            return answer if is_called else f"natural {die_as_it_lies(answer, _sides(source))}"
        if field.kind == "damage":
            is_roll = answer == ROLL[0] and ROLL in field.options
            return "" if is_roll else _damage(answer, field)
        if field.kind == "number":
            words = [value for value, _ in field.options]
            return answer if answer in words else number_answer(answer, field.label)
        return self._text(source, field, answer)

    def _without(self, source: Field, field: FormField) -> str:
        """The words of an unanswered field; raises Refused if it needs an answer."""
        if field.optional:
            return ""
        if field.kind == "die" and any(kind in source.options for kind in PERSON_KINDS):
            return "roll"  # it is not theirs: who has it may say another
        raise Refused(f"{field.label} is missing")

    def _chosen(self, source: Field, field: FormField, parts: Sequence[str]) -> str:
        values = [value for value, _ in field.options]
        if any(part not in values for part in parts):
            raise Refused(f"{field.label}: choose one of those offered")
        word = " ".join(dict.fromkeys(parts))
        if source.kind == "weapon":
            return f'with "{word}"'
        if source.kind == "said-of":
            return f"{source.before} {word}"
        if source.kind == OWN:
            return f'"{word}"'
        if source.kind == "until" and word in UNTIL_WORDS:
            return f"until {word} of {self.me.id}" if word in EDGES else f"until {word}"
        return word

    def _text(self, source: Field, field: FormField, answer: str) -> str:
        if source.kind == "faces" and not _FACES.fullmatch(answer):
            raise Refused(f"{field.label}: expected the numbers on the dice, such as 7 or 7,3")
        if source.kind == "line":
            words = answer.split()
            if answer in dict(field.options) and len(words) > 1:
                return quoted_words(answer, field.label)
            if BY in words or any(not re.fullmatch(r"[\w'-]+", word) for word in words):
                raise Refused(f"{field.label}: expected plain words")
            return " ".join(words)
        bare = source.kind in ("named-effect", "counter") and answer in dict(field.options)
        return answer if bare else quoted_words(answer, field.label)


@lru_cache(maxsize=16)  # asked for by every form of every phone
def _needed_by_words(ruleset: Ruleset) -> dict[tuple[str, str], Field | None]:
    """The field that must follow a keyword of a command, from the cache; None if none must."""
    return {}


FILLED = ("needed", "aims", "dice", "called", "all")
"""How much of a form is answered, to find out what the command takes: what must be, whom it is at
besides, the dice, or how they came out, all."""


def _sample_answers(asked: Sequence[Asked], most: str) -> dict[str, str | list[str]]:
    """Answers to so much of a form as a word of `FILLED` says."""
    answers: dict[str, str | list[str]] = {}
    usual = {"die": ROLL[0], "damage": "1", "number": "1", "text": "1"}
    for field in (each.field for each in asked if each.field is not None):
        kind = {"combatant": "aims", "die": "dice"}.get(field.kind, "all")
        is_answered = not field.optional or FILLED.index(kind) <= FILLED.index(most)
        values = [value for value, _ in field.options]
        answer = usual.get(field.kind) if field.kind == "damage" or not values else values[0]
        if field.kind == "die" and most == "called":
            answer = values[-1]
        if answer and is_answered:
            answers[field.name] = [answer] if field.several else answer
    return answers


def _as_said(word: str) -> str:
    return IN_FULL.get(word, word).replace("-", " ")


def refusal_in_words(state: Encounter, refusal: Refused) -> str:
    """Say why something can't be done, in a fight as the players know it.

    A number in an id tells how many have the name: whom players know by another is called so.
    """
    words = refusal.bare
    for combatant in state.combatants:
        if to_id(combatant.name) != combatant.id:
            words = re.sub(rf"\b{re.escape(combatant.id)}\b", combatant.name, words)
    return words


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


def _as_they_are(words: Iterable[str]) -> list[tuple[str, str]]:
    """Options that are called by their values."""
    return [(word, word) for word in words]


def _plain_label(field: Field) -> str:
    """A form's label of a field, without regard to its other fields."""
    if field.kind in ("outcome", "die"):
        rolls = next((kind for kind in PERSON_KINDS if kind in field.options), "")
        return f"the {rolls}'s d20" if rolls and rolls != "self" else f"d{_sides(field)}"
    if field.kind in ("text", "kept", "number", "dice"):
        around = " ".join(filter(None, (field.before, field.after)))
        called = next(iter(field.options), "") if field.kind in ("text", "kept") else ""
        return (around or called or field.name or field.kind).replace("-", " ")
    labels = {SEVERAL: "targets", "damage": "damage", "weapon": "with", "said-of": field.before}
    labels["said"] = "more" if field.name == ANY_MORE.kind else "also"
    return labels.get(field.kind) or (field.name or field.kind).replace("-", " ")


def _sides(field: Field) -> int:
    return next((int(word) for word in field.options if word.isdecimal()), _USUAL_DIE)


def die_as_it_lies(answer: str, sides: int) -> str:
    """Return what a die shows, or several with commas between. Raises Refused for no such face."""
    if not _FACES.fullmatch(answer) or any(not 1 <= int(n) <= sides for n in answer.split(",")):
        raise Refused(f"{answer[:20]} is not a number on a d{sides}")
    return answer


def number_answer(answer: str, what: str) -> str:
    if not _NUMBER.fullmatch(answer):
        raise Refused(f"{what}: expected a number")
    return answer


def _damage(answer: str, field: FormField) -> str:
    """`8 slashing`, `8`, `8 slashing 4 fire`, or a word in its place; raises Refused for others."""
    parts, words = answer.split(), [value for value, _ in field.options if value != ROLL[0]]
    amounts, types = parts[::2], parts[1::2]
    is_damage = all(map(_AMOUNT.fullmatch, amounts)) and all(word in words for word in types)
    if not is_damage and answer not in words:
        more = ", and its type" if words else ""
        raise Refused(f"{field.label}: expected a number or dice such as 2d6+3{more}")
    return answer


def quoted_words(answer: str, what: str) -> str:
    """Words as a command takes them; raises Refused for none."""
    if not answer:
        raise Refused(f"{what} is missing")
    text = answer.replace('"', "'")
    return f'"{text}"'


def _until_label(word: str) -> str:
    if word in EDGES:
        return f"until the {word} of my next turn"
    return f"until {word}" if word in UNTIL_WORDS else word.replace("-", " ")
