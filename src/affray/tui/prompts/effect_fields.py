"""Fields answered by an effect, its duration, or a power on somebody's own sheet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import get_args

from affray.core.engine.custom_effects import is_custom
from affray.core.engine.durations import UNTIL_WORDS
from affray.core.engine.state import Combatant, Edge, Effect, EffectRef
from affray.core.formatting.effects import effect_with_amounts, end_words
from affray.core.parser.prompt_fields import WORLD, Field
from affray.core.parser.tokens import Token
from affray.core.rules.ruleset import AvailableAction
from affray.tui.prompts.choice_fields import ChoiceField, OwnNameField, PickField
from affray.tui.prompts.combatant_fields import CombatantField
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.field import AnswerOption, KeyResult, PromptField, keys_for


class EffectField(OwnNameField):
    """An effect of one kind from the ruleset's tables: a condition, a status, ..., or one of any
    name outside the tables."""

    def rows(self) -> list[tuple[str, str]]:
        """All effects of that kind, and other words that the command takes here, such as a
        resistance."""
        own = self.own_kind
        offered = self.view.follow(self.so_far() + self.by).words
        return [*own.items(), *((word, word) for word in offered if word not in own)]

    @property
    def own_kind(self) -> dict[str, str]:
        """The effects of that kind by id, with their names."""
        rows = self.view.ruleset.tables.effects.items()
        return {key: row.name or key for key, row in rows if row.kind == self.spec.kind}

    @property
    def leads_elsewhere(self) -> bool:
        """True for a word of the command that is none of these effects."""
        words = self.answer.split(",")
        return self.own is None and bool(self.answer) and not self.own_kind.keys() >= {*words}


class CurrentEffectField(OwnNameField):
    """A choice of the effects of the combatant named before, or any name in quotes.

    Its options limit them by their ends: `save` means those that a save ends, except effects that
    depend on another of them. A single one needs no asking.
    """

    def is_needed(self) -> bool:
        """False for a combatant without any, if the command goes on to the next field."""
        needed = self.view.follow(self.so_far() + self.by).needed if not self._effects() else None
        others = [field.spec.kind for field in self.row if field is not self]
        return super().is_needed() and (needed is None or needed.kind not in others)

    def _effects(self) -> list[Effect]:
        combatant = self.person_before()
        if combatant is None or not self.spec.options:
            return list(combatant.effects) if combatant is not None else []
        found = [e for e in combatant.effects if e.until.ends in self.spec.options]
        listed = [EffectRef(combatant.id, e.id) for e in found]
        return [e for e in found if e.attached_to not in listed]

    def rows(self) -> list[tuple[str, str]]:
        """The effects on the combatant; those of the same name with their ends."""
        combatant = self.person_before()
        if combatant is None:
            return []
        found = self._effects()
        lines = [_effect_text(e) for e in found]
        return [
            (_called(combatant, e), t if lines.count(t) == 1 else f"{t}, {self._end(combatant, e)}")
            for e, t in zip(found, lines, strict=True)
        ]

    def _end(self, combatant: Combatant, effect: Effect) -> str:
        words = end_words(self.view.state, combatant, effect.until)
        return f"{words}, from {self.view.state.name(effect.source)}" if effect.source else words

    @property
    def preset(self) -> bool:
        """The only one needs no asking."""
        return len(self._effects()) == 1

    @property
    def wants(self) -> str:
        """A refusal for somebody without effects."""
        combatant = self.person_before()
        if combatant is not None and not self._effects():
            ends = f" that a {' or '.join(self.spec.options)} ends" if self.spec.options else ""
            return f"{combatant.name} has no effect{ends}; backspace to choose somebody else"
        return super().wants

    @property
    def missing(self) -> str:
        """The complaint that no effect is chosen."""
        return super().missing if self._effects() else self.wants


def _called(combatant: Combatant, effect: Effect) -> str:
    """The name, if it is one word and means only this effect."""
    is_plain = combatant.named(effect.name) is effect and not is_custom(effect)
    return effect.name if is_plain else effect.id


def _effect_text(effect: Effect) -> str:
    name = effect_with_amounts(effect) if effect.amount else effect.name
    return f"{name} ({effect.note})" if effect.note else name


class ReapplyField(ChoiceField):
    """The choice of what happens to an effect that is there already; asked only then."""

    label = "already there"

    def is_needed(self) -> bool:
        """True if one of those named before has the effect named before."""
        effect = next((s.answer for s in self.earlier if isinstance(s, EffectField)), "")
        has = any(combatant.named(effect) is not None for combatant in self.people_before())
        return super().is_needed() and has

    def feed(self, key: str) -> KeyResult:
        """A letter chooses, unless this effect doesn't allow it."""
        fed = super().feed(key)
        why_not = self.barred_by(self.word) if fed is KeyResult.NEXT else ""
        if not why_not:
            return fed
        self.erase()
        self.trouble = why_not
        return KeyResult.REFUSED


class CommandField(ChoiceField):
    """The choice between several commands. The first is the one for getting free oneself; for the
    hidden, the one that reveals them."""

    label = "how"
    answer = missing = ""
    """Empty: the field chooses the command itself, and a likely one is always chosen."""
    enter_may_finish = True

    @property
    def replaces_command(self) -> str:
        """The command, in place of the prompt's own."""
        return self.word or self._likely()

    def _likely(self) -> str:
        people = self.people_before()
        if "reveal" in self.spec.options:
            return (
                "reveal" if people and all(combatant.hidden for combatant in people) else "conceal"
            )
        combatant = self.person_before()
        picked = next((s.answer for s in self.earlier if isinstance(s, CurrentEffectField)), "")
        effect = (
            (combatant.named(picked) or combatant.effect(picked)) if combatant and picked else None
        )
        rule = self.view.ruleset.tables.effects.get(effect.name) if effect else None
        escapes = rule is not None and rule.escape is not None
        return self.spec.options[0 if escapes else -1]

    @property
    def shown(self) -> str:
        """The chosen command in the words of the screen."""
        return self.replaces_command

    def feed(self, key: str) -> KeyResult:
        """A letter chooses."""
        fed = super().feed(key)
        return KeyResult.REFUSED if fed is KeyResult.PASS else fed


# -------------------------------------------------------------------------------------------------
# The duration of an effect

EDGES = get_args(Edge)
"""The options that need a combatant, whose turn's start or end it is."""
MOST_TURNS = 99


class DurationField(PromptField):
    """`s3` until the start of number 3's turn, `f` until freed, `2` for 2 turns.

    Its options are the words after `until`, and words of their own, such as `save-ends`. Without a
    number it is the actor's turn.
    """

    word = turns = ""
    """The end, or the number of turns."""

    def __init__(self, spec: Field, view: PromptContext, earlier: Sequence[PromptField]) -> None:
        super().__init__(spec, view, earlier)
        self.keys = keys_for(spec.options)
        self.bare = {option for option in spec.options if option not in UNTIL_WORDS}
        self.whose = CombatantField(Field("self"), view, earlier)
        self.whose.pick = view.actor or self.whose.pick

    def feed(self, key: str) -> KeyResult:
        """A letter chooses the end; digits are whose turn, or how many turns."""
        if self.word in EDGES:
            names = self.whose.typed is not None or key.isdecimal() or not self.whose.touched
            fed = self.whose.feed(key) if names else KeyResult.PASS
            self.trouble = self.whose.trouble
            return fed
        if key.isdecimal() and not self.word:
            if not 1 <= int(self.turns + key) <= MOST_TURNS:
                self.trouble = f"{self.turns}{key} is not a number of turns: 1 to {MOST_TURNS}"
                return KeyResult.REFUSED
            self.turns += key
            return KeyResult.KEPT
        if key in self.keys and not self.turns:
            self.word = self.keys[key]
            return KeyResult.KEPT if self.word in EDGES else KeyResult.NEXT
        return KeyResult.PASS if self.answer or self.spec.optional else KeyResult.REFUSED

    def read(self, words: Sequence[Token]) -> int:
        """`until start of mira`, `until freed`, `for 2 turns`, `save-ends`."""
        row = [str(word) for word in words]
        if row[0] in self.bare:
            self.word = row[0]
            return 1
        if row[0] == "for" and len(row) > 2 and row[1].isdecimal() and row[2] in ("turn", "turns"):
            self.turns = row[1]
            return 3
        if row[0] != "until" or len(row) < 2 or row[1] not in self.keys.values():
            return 0
        if row[1] not in EDGES:
            self.word = row[1]
            return 2
        if row[2:3] != ["of"] or len(row) < 4 or not self.whose.read(words[3:]):
            return 0
        self.word = row[1]
        return 4

    @property
    def candidates(self) -> dict[str, int]:
        """The combatants whose turn could end it, once that is the question."""
        return self.whose.candidates if self.word in EDGES else {}

    def choose(self, combatant_id: str) -> None:
        """Choose whose turn it is."""
        self.whose.choose(combatant_id)

    def erase(self) -> bool:
        """Delete whose turn, then the word; or a digit."""
        if self.word in EDGES and self.whose.erase():
            return True
        taken = bool(self.word or self.turns)
        self.word, self.turns = "", self.turns[:-1]
        return taken

    @property
    def missing(self) -> str:
        """The question whose turn ends it, if nobody is on offer."""
        return self.whose.missing if self.word in EDGES else super().missing

    @property
    def answer(self) -> str:
        """The words of the command."""
        if self.turns:
            return f"for {self.turns} turns"
        if self.word in EDGES:
            return f"until {self.word} of {self.whose.answer}"
        return self.word if self.word in self.bare else f"until {self.word}" if self.word else ""

    @property
    def shown(self) -> str:
        """The duration as it is typed, with the name of whose turn ends it."""
        if self.word in EDGES:
            return f"until the {self.word} of {self.whose.shown}'s turn"
        return self.answer

    def offers(self) -> list[AnswerOption]:
        """The letters; then whose turn."""
        if self.word in EDGES:
            return self.whose.offers()
        return self.by_letter(self.keys, self.word)

    @property
    def hint(self) -> str:
        """The hint that digits are turns."""
        return "" if self.word or self.turns else "digits: turns"


# -------------------------------------------------------------------------------------------------
# Powers on somebody's own sheet: a list to pick from, and their prompts

ANY = "any"
"""The option of a field that also takes options that can't be used now."""


def quoted(option: AvailableAction) -> str:
    """The name as a command takes it."""
    return f'"{option.name}"'


class OwnActionField(PickField):
    """A choice of the actor's own options, usable ones first; with `any` all of them, with `world`
    those of the world on anybody's turn."""

    label = "which"

    @property
    def _any(self) -> bool:
        return ANY in self.spec.options

    @cached_property
    def _options(self) -> dict[str, AvailableAction]:
        """The options by their names in commands."""
        rules, state, whose = self.view.ruleset, self.view.state, self._whose
        found = rules.actions.own_options(rules.tables, state, whose) if whose is not None else []
        return {quoted(o): o for o in sorted(found, key=lambda o: not o.available)}

    @property
    def _whose(self) -> Combatant | None:
        state = self.view.state
        if WORLD not in self.spec.options:
            return state.find(self.view.actor)
        return next((each for each in state.combatants if each.side == WORLD), None)

    def rows(self) -> list[tuple[str, str]]:
        """The options, by name."""
        return [(answer, option.name) for answer, option in self._options.items()]

    def offers(self) -> list[AnswerOption]:
        """The powers that match the typed letters; those that can't be used are marked."""
        can = {answer for answer, o in self._options.items() if o.available or self._any}
        rows, word = self.narrowed(), self.answer
        return [AnswerOption("", n if a in can else f"{n} ✗", a == word) for a, n in rows]

    @property
    def none_at_all(self) -> str:
        """The complaint that there is nothing to pick from; empty when there is."""
        if self._options:
            return ""
        whose = self._whose
        return f"{whose.name} has none" if whose is not None else "nobody is here"

    @property
    def preset(self) -> bool:
        """True for somebody with a single power that can be used, which needs no name."""
        return not self._any and [o.available for o in self._options.values()] == [True]

    def feed(self, key: str) -> KeyResult:
        """Take a key, and refuse an unusable option as soon as it is picked."""
        fed = super().feed(key)
        if fed is KeyResult.PASS and self.barred:
            self.trouble = self.barred
            return KeyResult.REFUSED
        return fed

    @property
    def barred(self) -> str:
        """The reason why the highlighted action can't be used."""
        option = self._options.get(self.answer) if not self._any else None
        return f"{option.name}: {option.reason}" if option is not None and option.reason else ""

    @property
    def missing(self) -> str:
        """The complaint that no usable option is picked."""
        return self.barred or super().missing
