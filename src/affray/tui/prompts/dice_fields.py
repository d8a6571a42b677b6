"""Fields answered by dice: a die as it lies, an outcome, damage with its types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain

from affray.core.engine.decide import Decision
from affray.core.engine.state import Combatant
from affray.core.parser.prompt_fields import PERSON_KINDS
from affray.core.parser.tokens import Token
from affray.core.rules.tables import OutcomeRow
from affray.tui.prompts.choice_fields import ToggleField, no_name_has
from affray.tui.prompts.field import AnswerOption, KeyResult, PromptField, command_of_fields
from affray.tui.prompts.preview import ahead_of, hurts, lone_die, numbers_of
from affray.tui.prompts.value_fields import MOST_IN_DICE, SIGNS

USUAL_DIE = 20
"""The sides of the die that outcomes are rolled with, where the ask says nothing else."""

_LEANS = {"a": "adv", "d": "dis"}


def no_face(text: str, dice: str, on: str = "enter or tab goes on") -> str:
    """That dice can't show this, and what takes it as it was typed before."""
    return f"{text} is no face of a {dice}{f': {on}' if len(text) > 1 else ''}"


class DieField(PromptField):
    """A die as it lies; `r` has the app roll.

    By rules in which rolls lean it may be two of them (`4,15`), with `a` or `d` behind. The options
    of the ask are its sides, or how a person was asked for who rolls it.
    """

    digits = ""
    """What fell, as it is typed: `9`, or `4,15`."""
    rolls = False
    """Whether the app rolls."""
    alone = False
    """Whether it was said that one die stands alone: what asked for the other was taken back."""
    lean = ""
    """To advantage or disadvantage, in the word of the command."""

    @property
    def sides(self) -> int:
        """The sides of the die."""
        return next((int(word) for word in self.spec.options if word.isdecimal()), USUAL_DIE)

    @property
    def die(self) -> str:
        """`d20`"""
        return f"d{self.sides}"

    @property
    def label(self) -> str:
        """The die."""
        return self.die

    @property
    def leans(self) -> Mapping[str, str]:
        """The letters that lean it, where rolls do."""
        return _LEANS if self.view.ruleset.tables.leans else {}

    @property
    def count(self) -> int:
        """The number of rolls that the field is for."""
        return 1

    @property
    def foreseen(self) -> Decision | None:
        """A preview of the roll as if each die showed a 1, so that the number to beat, what is
        added, and advantage are known before a die falls."""
        if self.sides != USUAL_DIE or not self.applies():
            return None
        text = " ".join(filter(None, (f"natural {','.join(['1'] * self.count)}", self.tail)))
        besides = [field for field in self.row if isinstance(field, ToggleField)]
        return self.view.decide(
            command_of_fields(self.command, [*self.earlier, *besides], text) + self.by
        )

    @property
    def lone_die(self) -> str:
        """Why what is typed can't stand yet, since it is one die for two; empty where it can."""
        decision = self.foreseen if self.digits and not self.alone else None
        return lone_die(self.digits, ahead_of(decision) if decision is not None else None)

    @property
    def most_commas(self) -> int:
        """Between two dice of one roll, if it can lean."""
        return 1 if self.leans else 0

    def feed(self, key: str) -> KeyResult:
        """Digits are what fell; `a` and `d` lean it to advantage or disadvantage."""
        if key.isdecimal():
            return self._digit(key)
        if key == "," and self.digits and self.digits.count(",") < self.most_commas:
            self.digits += ","
            return KeyResult.KEPT
        if key in self.leans:
            self._lean_to(self.leans[key])
            return KeyResult.KEPT
        if key == "r":
            self.rolls, self.digits = True, ""
            return KeyResult.NEXT
        return KeyResult.PASS if self.answer else KeyResult.REFUSED

    def _lean_to(self, lean: str) -> None:
        """Choose advantage or disadvantage, or neither; a lone typed die then lacks its second."""
        self.lean = "" if self.lean == lean else lean
        if not self.lean:
            self.digits = self.digits.rstrip(",")
        elif self.repeated and self.digits and "," not in self.digits:
            self.digits += ","
        self.repeated = False

    def _digit(self, key: str) -> KeyResult:
        last = self.digits.rpartition(",")[2] + key
        if not 1 <= int(last) <= self.sides:
            self.trouble = no_face(last, self.die)
            return KeyResult.REFUSED
        self.rolls, self.alone = False, False
        self.digits += key
        return KeyResult.KEPT

    def read(self, words: Sequence[Token]) -> int:
        """`roll`, or `natural` and what fell."""
        if words[0] == "roll":
            self.rolls = True
            return 1
        if words[0] == "natural" and len(words) > 1:
            self.digits = str(words[1])
            return 2
        return 0

    def read_tail(self, words: Sequence[Token]) -> list[Token]:
        """The lean stands somewhere behind."""
        self.lean = next((str(w) for w in words if w in self.leans.values()), "")
        return [word for word in words if word not in self.leans.values()]

    def erase(self) -> bool:
        """Take back a digit, the lean or the `r`."""
        if not (self.digits or self.rolls or self.lean):
            return False
        if self.digits.endswith(","):
            self.digits, self.alone = self.digits[:-1], True
        elif self.lean:
            self.lean = ""
        elif self.digits:
            self.digits = self.digits[:-1]
        else:
            self.rolls = False
        return True

    def accept(self) -> None:
        """Nothing typed: the app rolls."""
        if not self.digits and self.by_default:
            self.rolls = True

    @property
    def answer(self) -> str:
        """`natural 9`, `natural 4,15 adv` or `roll`."""
        text = self.digits.strip(",")
        if text:
            return f"natural {text}"
        return "roll" if self.rolls or self.by_default else ""

    @property
    def missing(self) -> str:
        """The die, or the other one of two."""
        if self.digits.endswith(","):
            first = self.digits.rstrip(",")
            return f"{self.label}: two dice, {first} and what the other shows; bksp for one alone"
        return super().missing

    @property
    def tail(self) -> str:
        """The lean stands behind everything else."""
        return self.lean

    @property
    def by_default(self) -> bool:
        """Whether the app rolls when nothing is typed."""
        return not self.spec.optional

    def applies(self) -> bool:
        """A roll at a target is asked for when there is one."""
        targets = [s for s in self.earlier if s.spec.kind in ("target", "targets")]
        return super().applies() and all(s.answer for s in targets)

    @property
    def leads(self) -> bool:
        """The app rolls for whom it rolls anyway."""
        return self.spec.optional or self.view.by_the_app(self._roller())

    def _roller(self) -> Combatant | None:
        """Who makes the roll, where it is not the actor."""
        named = [kind for kind in PERSON_KINDS if kind in self.spec.options]
        return self.person_before(named or ("self", "person"))

    @property
    def shown(self) -> str:
        """The die, or that the app rolls."""
        text = f"{self.die} {self.digits}" if self.digits else "roll" if self.rolls else ""
        return f"{text} {self.lean}".rstrip() if text else ""

    @property
    def hint(self) -> str:
        """The keys that can be typed, for the prompt's row."""
        leans = "a/d advantage, disadvantage" if self.leans else ""
        return " · ".join(filter(None, ("as it lies", leans, "r rolls")))

    @property
    def wants(self) -> str:
        """The die, or a roll."""
        return f"what the {self.die} shows, or r"


# -------------------------------------------------------------------------------------------------
# Outcomes of one roll or several

_EACH = "one for all, or one for each"
EACH = "each"
"""The option of an ask for an outcome that several have, each their own."""
TAKEN = "taken"
"""The option of an ask for those outcomes alone that what was picked takes: a roll's or save's."""


class OutcomeField(DieField):
    """The outcome of a roll as the GM calls it: one letter; `n15` for the die; `r` to have it
    rolled.

    At several targets one outcome is for all of them, or each has its own: `hmh`, `n15,7,20`; so it
    is of several who roll themselves, where the ask has the option `each`. Other options name the
    only outcomes that there are.
    """

    outcomes: tuple[str, ...] = ()
    """How it came out, as it was called; of several, of as many as have been."""
    natural = False
    """Whether a die as it lies was begun."""

    @property
    def label(self) -> str:
        """Whose roll it is, where another makes it."""
        rolls = next((kind for kind in PERSON_KINDS if kind in self.spec.options), "")
        return f"the {rolls}'s roll" if rolls in ("target", "ally") else self.spec.kind

    @property
    def words_by_key(self) -> dict[str, str]:
        """The outcomes that there are, by their letters."""
        if TAKEN not in self.spec.options:
            return self._words_by_key
        row = self._words_by_key.items()
        return {key: word for key, word in row if not self.barred_by(word)}

    @property
    def _rules(self) -> Mapping[str, OutcomeRow]:
        return self.view.ruleset.tables.outcomes

    @cached_property
    def _words_by_key(self) -> dict[str, str]:
        rules, options = self._rules, self.spec.options
        words = [word for word in rules if word in options]
        words = words or [word for word, rule in rules.items() if not rule.named]
        return {rules[word].key: word for word in words}

    def feed(self, key: str) -> KeyResult:
        """A letter is the outcome; a digit, or `n`, begins a die as it lies."""
        if key.isdecimal() and not (self.outcomes or self.rolls):
            self.natural = True
        if self.natural and (key.isdecimal() or key == "," or key in self.leans):
            return super().feed(key)
        if self.natural and self.digits:
            return KeyResult.PASS
        if key == "n":
            self._clear()
            self.natural = True
            return KeyResult.KEPT
        if key in self.words_by_key:
            if not 0 < len(self.outcomes) < self.count:
                self._clear()
            self.outcomes += (self.words_by_key[key],)
            return KeyResult.NEXT if len(self.outcomes) == self.count else KeyResult.KEPT
        if key == "r":
            self._clear()
            self.rolls = True
            return KeyResult.NEXT
        if self.rolls and key in self.leans:
            return super().feed(key)
        self.trouble = self._moved(key)
        if self.trouble:
            return KeyResult.REFUSED
        if self.outcomes and self.missing:
            self.trouble = self.missing
            return KeyResult.REFUSED
        return KeyResult.PASS if self.outcomes or self.rolls else KeyResult.REFUSED

    def _moved(self, key: str) -> str:
        """Which letter says now what this one said in earlier releases; empty for any other."""
        found = (word for word in self.words_by_key.values() if self._rules[word].was == key)
        return next(
            (f"{word} is {self._rules[word].key} now, as in every game" for word in found), ""
        )

    @property
    def count(self) -> int:
        """The number of targets, each with its own outcome."""
        return max(1, len(self._each))

    @property
    def _each(self) -> list[str]:
        """The ids of several of whom each has an outcome."""
        several = [s for s in self.earlier if s.spec.kind == "targets"]
        several = [s for s in several if s.spec.others or EACH in self.spec.options]
        return [combatant_id for s in several for combatant_id in s.answer.split(",")]

    @property
    def most_commas(self) -> int:
        """The most commas there can be: one die for each target."""
        return max(super().most_commas, self.count - 1)

    def _clear(self) -> None:
        self.outcomes, self.natural, self.digits, self.rolls, self.lean = (), False, "", False, ""

    def erase(self) -> bool:
        """Take back what was said last."""
        if super().erase():
            return True
        if not (self.outcomes or self.natural):
            return False
        left = self.outcomes[:-1]
        self._clear()
        self.outcomes = left
        return True

    def read(self, words: Sequence[Token]) -> int:
        """One outcome or several, `roll`, or `natural` and what fell."""
        parts = words[0].split(",")
        if all(word in self.words_by_key.values() for word in parts):
            self.outcomes = tuple(parts)
            return 1
        taken = super().read(words)
        self.natural = bool(self.digits)
        return taken

    def accept(self) -> None:
        """Nothing said: the app rolls, for whom it rolls."""
        if not self.outcomes and not self.digits and self.by_default:
            self.rolls = True

    @property
    def by_default(self) -> bool:
        """Whether the app rolls when nothing is said: it does for those whom the GM plays."""
        if EACH in self.spec.options:
            rollers = list(filter(None, map(self.view.state.find, self._each)))
            return all(map(self.view.by_the_app, rollers))
        if self._asks_for_save:
            return all(map(self.view.by_the_app, self.people_before()))
        return self.view.by_the_app(self._roller())

    def applies(self) -> bool:
        """False for a technique without a roll."""
        has_roll = TAKEN not in self.spec.options or bool(self.answer or self.words_by_key)
        return has_roll and super().applies()

    @property
    def leads(self) -> bool:
        """An enter at an earlier field has the app roll, where that is the default.

        What may be left out, since not all that can be picked takes a roll, is asked for where it
        is a player's.
        """
        may_be_left_out = self.spec.optional and TAKEN not in self.spec.options
        return may_be_left_out or self.by_default

    @property
    def _asks_for_save(self) -> bool:
        """Whether what was picked takes the outcome of a save: its targets roll that."""
        words = self.words_by_key.values() if TAKEN in self.spec.options else ()
        return any(self._rules[word].named for word in words)

    @property
    def is_answered(self) -> bool:
        """Whether the GM said how it came out, or what fell."""
        return bool(self.outcomes or self.digits)

    @property
    def answer(self) -> str:
        """The outcome's word, `hit,miss`, `natural 15`, or `roll`."""
        return ",".join(self.outcomes) or super().answer

    @property
    def missing(self) -> str:
        """An outcome for all, or as many as there are targets."""
        given = len(self.outcomes)
        if 1 < given < self.count:
            return f"{given} outcomes for {self.count}: {_EACH}"
        return super().missing

    @property
    def hits(self) -> bool:
        """Whether what follows a hit is asked for."""
        return (
            not self.outcomes
            or self._is_save
            or any(self._rules[word].hits for word in self.outcomes)
        )

    @property
    def withstood(self) -> bool:
        """Whether saves were called out, and none failed."""
        return self._is_save and all(self._hit)

    @property
    def _hit(self) -> list[bool]:
        return [self._rules[word].hits for word in self.outcomes]

    @property
    def _is_save(self) -> bool:
        """Whether what was called out is how a save came out."""
        return TAKEN in self.spec.options and any(self._rules[word].named for word in self.outcomes)

    @property
    def misses(self) -> bool:
        """Whether it was called out for all of them, and none is a hit."""
        return len(self.outcomes) == self.count and not self.hits

    @property
    def shown(self) -> str:
        """The outcome as it was called; of several, with who has it, and who is next."""
        if self.natural and not self.digits:
            return f"{self.die} …"
        if self.count == 1 or not self.outcomes:
            return ", ".join(self.outcomes) or super().shown
        names = map(self.view.state.name, self._each)
        return "  ".join(map(" ".join, zip(names, (*self.outcomes, "?"), strict=False)))

    def offers(self) -> list[AnswerOption]:
        """The letters."""
        result = [
            AnswerOption(key, self._rules[word].label or word, word in self.outcomes)
            for key, word in self.words_by_key.items()
        ]
        natural = AnswerOption("n", f"{self.die} as it lies", self.natural)
        return [*result, natural, AnswerOption("r", "roll", self.rolls)]

    @property
    def hint(self) -> str:
        """The number to roll against, if any; keys for advantage only beside a die."""
        leans = "a advantage · d disadvantage" if self.natural and self.leans else ""
        each = _EACH if self.count > 1 and not self.outcomes else ""
        return " · ".join(part for part in (self._against(), leans or each) if part)

    def _against(self) -> str:
        """`against 12`, where the rules have a number for it; `against 18, 14` of several that have
        each their own, and as they are gone through that of whose turn it is."""
        decision = self.foreseen
        row = [str(number) for number in numbers_of(decision)] if decision is not None else []
        if 0 < len(self.outcomes) < len(row):
            row = row[len(self.outcomes) :][:1]
        return f"against {', '.join(row if len(set(row)) > 1 else row[:1])}" if row else ""

    @property
    def foreseen(self) -> Decision | None:
        """A preview of the roll; where no die can be previewed, of the first outcome there is."""
        if not self.applies():
            return None
        return super().foreseen or self.look(next(iter(self.words_by_key.values()), ""))

    @property
    def wants(self) -> str:
        """The letters, the die, or a roll."""
        row = (
            f"{key} {self._rules[word].label or word}" for key, word in self.words_by_key.items()
        )
        return f"{', '.join(row)}, n and the {self.die}, or r"


# -------------------------------------------------------------------------------------------------
# Damage as it was rolled, or as dice to roll, with its type

MOST_DIGITS = 4
"""So long may the number be."""
DIE = "d"
_AMOUNT = re.compile(r"\d{1,4}|\d{1,2}d\d{1,3}([+-]\d{1,3})?")
MORE = "+,"
"""The keys behind a type that go on to damage of another."""


class DamageField(PromptField):
    """Damage as it was rolled, or dice such as `2d6+3`, then letters of its type; nothing: the app
    rolls the attack's dice. A `d` is a letter, until a digit makes a die of it.

    Behind a type `+` or `,` goes on to damage of another: `8s+4f` is `8 slashing 4 fire`. The
    options of the ask are words that may stand in its place (by their first letter).
    """

    digits = letters = ""
    """The amount, and letters of its type, as they are typed."""
    word = ""
    """The word that stands in its place."""
    parts: tuple[tuple[str, str], ...] = ()
    """The amounts before it, each with its type."""

    def feed(self, key: str) -> KeyResult:
        """Digits first; letters after them narrow the type."""
        if key.isdecimal() and (not self.letters or self._begins_a_die):
            return self._number(f"{self.digits}{self.letters}{key}")
        if key.isdecimal() and self.type:
            self.trouble = f"{key} stands behind {self.type}: + goes on to damage of another type"
            return KeyResult.REFUSED
        if key in SIGNS and self._is_dice and not self.letters and self._is_whole:
            return self._number(f"{self.digits}{key}")
        if key in MORE and self.type:
            return self._more()
        if not self.digits and not self.parts:
            word = next((w for w in self.spec.options if key and w.startswith(key)), "")
            if word:
                self.word = word
                return KeyResult.NEXT
        if len(key) == 1 and key.isalpha() and self.digits and self._types(""):
            self.letters += key
            if self._begins_a_die:
                return KeyResult.KEPT
            self.trouble = self._fits_nothing  # what was begun before is not the type then
            return KeyResult.REFUSED if self.trouble else KeyResult.KEPT
        return KeyResult.REFUSED

    def _number(self, text: str) -> KeyResult:
        """Take more of the amount, unless it gets too long."""
        most = MOST_IN_DICE if DIE in text else MOST_DIGITS
        if len(text) > most:
            self.trouble = f"{text} is too much damage"
            return KeyResult.REFUSED
        self.digits, self.letters, self.word = text, "", ""
        return KeyResult.KEPT

    @property
    def _is_dice(self) -> bool:
        return DIE in self.digits

    @property
    def _begins_a_die(self) -> bool:
        """Whether what was typed as a letter may yet be a die's."""
        return self.letters == DIE and not self._is_dice and len(self.digits) <= 2

    def _more(self) -> KeyResult:
        """Go on to damage of another type, if the command takes it."""
        if not self._takes_more:
            self.trouble = "no second type goes with this"
            return KeyResult.REFUSED
        self.parts += ((self.digits, self.type),)
        self.digits = self.letters = ""
        return KeyResult.KEPT

    @property
    def _takes_more(self) -> bool:
        return self._is_whole and not self.barred_by(f"{self.answer} 1 {self.type}")

    @property
    def _fits_nothing(self) -> str:
        """That letters were typed which no type has; empty when there are none such."""
        return no_name_has(self.letters) if self.letters and not self.type else ""

    def read(self, words: Sequence[Token]) -> int:
        """Numbers, each with its type, or what stands in their place."""
        if words[0] in self.spec.options:
            self.word = str(words[0])
            return 1
        taken = 0
        while words[taken:] and _AMOUNT.fullmatch(words[taken]):
            if taken:
                self.parts += ((self.digits, self.type),)
            self.digits = str(words[taken])
            has_type = words[taken + 1 :] and words[taken + 1] in self._types("")
            self.letters = str(words[taken + 1]) if has_type else ""
            taken += 2 if has_type else 1
            if not has_type:
                break
        return taken

    def _types(self, begin: str) -> list[str]:
        return [t for t in self.view.ruleset.tables.damage_types if t.startswith(begin.casefold())]

    @property
    def type(self) -> str:
        """The damage type that the letters lead to."""
        return next(iter(self._types(self.letters)), "") if self.letters else ""

    def erase(self) -> bool:
        """Take back a letter, a digit, the way to another type, or what stands in its place."""
        if self.word:
            self.word = ""
        elif self.letters:
            self.letters = self.letters[:-1]
        elif self.digits:
            self.digits = self.digits[:-1]
        elif self.parts:
            *before, (self.digits, self.letters) = self.parts
            self.parts = tuple(before)
        else:
            return False
        return True

    def applies(self) -> bool:
        """Asked for when a roll before it hits, and when what was picked deals any."""
        rolls = [s for s in self.earlier if isinstance(s, OutcomeField)]
        if not (super().applies() and all(s.hits and s.applies() for s in rolls)):
            return False
        if any(s.withstood for s in rolls) and not self._matters:
            return False
        return bool(self.answer) or all(self._deals(s) for s in rolls if TAKEN in s.spec.options)

    def _deals(self, roll: OutcomeField) -> bool:
        """Whether what was picked deals any, as its roll came out, or however it may."""
        before = [field for field in self.earlier if field is not roll]
        words = roll.outcomes or tuple(roll.words_by_key.values())
        lines = {command_of_fields(self.command, before, word) + self.by for word in words}
        decisions = [self.view.decide(line) for line in lines]
        return not decisions or any(d is None or hurts(d) for d in decisions)

    @property
    def _matters(self) -> bool:
        """Whether it makes any difference how much it is."""
        little, amounts = self.look("9"), self.look("99")
        return little is None or amounts is None or little.events != amounts.events

    @property
    def answer(self) -> str:
        """`8 slashing`, `8`, `8 slashing 4 fire`, or what stands in its place."""
        return self.word or " ".join(filter(None, (*chain(*self.parts), self.digits, self.type)))

    @property
    def missing(self) -> str:
        """Nothing, where the app can roll it; of another type, how much and which."""
        if self.digits and not self._is_whole:
            return f"{self.digits} is neither a number nor dice such as 2d6+3"
        if self._fits_nothing or (self.parts and not (self.digits and self.type)):
            return self._fits_nothing or "how much more, then letters of its type"
        return "" if self.answer or self.can_roll else "type the damage"

    @property
    def _is_whole(self) -> bool:
        return _AMOUNT.fullmatch(self.digits) is not None

    @property
    def can_roll(self) -> bool:
        """Whether the app has something to roll when nothing is typed."""
        return self.look("") is not None

    @property
    def wants(self) -> str:
        """A number, or what may stand in its place."""
        words = [f"or {word[0]} {word}" for word in self.spec.options]
        return " ".join(["a number or dice, then letters of its type", *words])

    @property
    def leads(self) -> bool:
        """The app rolls it unasked for whom it rolls anyway, unless a player called the roll."""
        if self.spec.optional:
            return True
        return self.view.by_the_app() and not self._called and self.can_roll

    @property
    def _called(self) -> bool:
        """Whether the roll before it was called out for one of the party: by whoever plays them."""
        rolls = [s for s in self.earlier if isinstance(s, OutcomeField) and s.applies()]
        combatant = self.view.state.find(self.view.actor)
        is_party = combatant is not None and combatant.side == "party"
        return is_party and any(s.is_answered for s in rolls)

    @property
    def shown(self) -> str:
        """The amounts and the types; a type as it was typed, if there is none such."""
        text = self.word or f"{self.digits} {self.type or self.letters}".strip()
        return " + ".join([*map(" ".join, self.parts), text])

    def offers(self) -> list[AnswerOption]:
        """The types while letters narrow them; what may stand in its place before."""
        if self.letters:
            return [AnswerOption("", t, t == self.type) for t in self._types(self.letters)]
        if self.digits:
            return []
        return [AnswerOption(word[0], word, word == self.word) for word in self.spec.options]

    @property
    def hint(self) -> str:
        """The keys that can be typed, for the prompt's row."""
        if self.letters:
            return "+ another type" if self._takes_more else ""
        if self.digits or self.parts:
            return "letters for its type" if self.digits else "how much more"
        return "as rolled" + (" · nothing: the app rolls" if self.can_roll else "")
