"""Fields answered by dice: an outcome, damage with its types."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from affray.core.engine.decide import Decision
from affray.core.engine.dice_owners import PlayersDie
from affray.core.engine.events import AnyEvent, TrackChanged
from affray.core.late_pattern import late_pattern
from affray.core.parser.prompt_fields import ANYONE, DICE, NUMBER
from affray.core.parser.spelling import begun_so
from affray.core.parser.tokens import Token
from affray.core.rules.tables import OutcomeRow
from affray.mechanics.saves import LATER
from affray.tui.prompts.choice_fields import no_name_has
from affray.tui.prompts.die_field import DieField
from affray.tui.prompts.field import ROLL, AnswerOption, KeyResult, PromptField
from affray.tui.prompts.preview import changes_health, numbers_of, rolls_ahead
from affray.tui.prompts.value_fields import AS_ROLLED, EXPLODES, MOST_IN_DICE, REROLLS, SIGNS

# -------------------------------------------------------------------------------------------------
# Outcomes of one roll or several

_EACH = "one for all, or one for each"
EACH = "each"
"""The option of a field for an outcome for each of several combatants."""


class OutcomeField(DieField):
    """The outcome of a roll: one letter, `n15` for the die, or `r` to have affray roll.

    With several targets one outcome counts for all, or each gets its own: `hmh`, `n15,7,20`, or
    dice after called outcomes: `hmn7`; with two dice each, `n3,12n4,13`. With the option `each` the
    same holds for several who roll. Other options limit the outcomes.
    """

    outcomes: tuple[str, ...] = ()
    """The outcomes called so far, one for all or one for each."""
    natural = False
    """True if a die is typed in place of an outcome."""

    @property
    def label(self) -> str:
        """`its save`, or `the target's roll` if somebody else than the actor rolls; else
        `outcome`."""
        if self._is_saved_by_targets:
            return "its save" if self.count == 1 else "their saves"
        by = self.rolled_by
        return f"the {by}'s roll" if by in ("target", "ally") else self.spec.kind

    @property
    def _is_saved_by_targets(self) -> bool:
        """True if the roll is the targets' saves."""
        whom = [each.id for each in self.people_before()]
        rolls = rolls_ahead(self.look(ROLL) if whom else None)
        return bool(rolls) and all(roll.is_save and roll.who in whom for roll in rolls)

    @property
    def words_by_key(self) -> dict[str, str]:
        """Letter -> the word of an outcome that the command takes here now."""
        rules, options = self._rules, self.spec.options
        taken = [word for word in self._offered if word in rules]
        asked = [word for word in rules if word in options]
        is_save = bool(taken) and rules[taken[0]].named  # what comes first is no synonym
        alike = [word for word in rules if word in taken and (is_save or not rules[word].named)]
        plain = [word for word, rule in rules.items() if not rule.named]
        words = [word for word in asked if word in taken] or alike or asked or plain
        return {rules[word].key: word for word in words}

    @property
    def _rules(self) -> Mapping[str, OutcomeRow]:
        return self.view.ruleset.tables.outcomes

    @property
    def first_letters(self) -> Collection[str]:
        """The letters of outcomes, of the number on the die, and of a roll by affray."""
        return [offer.key for offer in self.offers()]

    def feed(self, key: str) -> KeyResult:
        """Take the letter of an outcome; a digit or `n` begins a die; `r` has affray roll."""
        if key.isdecimal() and not (self.outcomes or self.rolls):
            self.natural = True
        if self.natural and (key.isdecimal() or key == "," or key in self.leans):
            return super().feed(key)
        rolls = len(self.outcomes) + len(self.digits.split())
        if key == "n" and self.natural and self.digits and rolls < self.count:
            self.digits = f"{self.digits.strip(', ')} "
            return KeyResult.KEPT
        if self.natural and self.digits:
            return KeyResult.PASS
        if key == "n":
            if not 0 < len(self.outcomes) < self.count:
                self._clear()
            self.natural = True
            return KeyResult.KEPT
        word = self.words_by_key.get(key, "")
        if word and not 0 < len(self.outcomes) < self.count:
            self._clear()
        word = word or self._of_one_by_key.get(key, "")
        if word:
            self.outcomes += (word,)
            return KeyResult.NEXT if len(self.outcomes) == self.count else KeyResult.KEPT
        if key == "r":
            self._clear()
            self.rolls = True
            return KeyResult.NEXT
        if (self.rolls or self.left) and key in self.leans:
            return super().feed(key)
        self.trouble = self._moved(key)
        if self.trouble:
            return KeyResult.REFUSED
        if key == "," and 0 < len(self.outcomes) < self.count:
            return KeyResult.KEPT  # one of several is given, and the next follows
        if self.outcomes and self.missing:
            self.trouble = self.missing
            return KeyResult.REFUSED
        is_known = self.outcomes or self.rolls or self.left
        return KeyResult.PASS if is_known else KeyResult.REFUSED

    @property
    def _of_one_by_key(self) -> dict[str, str]:
        """The words for one of several besides outcomes, by letter: roll it, or roll it later. An
        `r` before any outcome is for all."""
        if len(self.outcomes) >= self.count or self.count == 1:
            return {}
        rolled = {"r": ROLL} if self.outcomes else {}
        return rolled | ({"l": LATER} if LATER in self._offered else {})

    def _moved(self, key: str) -> str:
        """Name the letter that replaced one of an earlier release; empty for any other key."""
        found = (word for word in self.words_by_key.values() if self._rules[word].was == key)
        return next(
            (f"{word} is now {self._rules[word].key}, as in every game" for word in found), ""
        )

    @property
    def count(self) -> int:
        """The number of targets, each with its own outcome."""
        return max(1, len(self._each))

    @property
    def _each(self) -> list[str]:
        """The ids of the combatants with an outcome each; empty for a single roll."""
        several = [s for s in self.earlier if s.spec.kind == "targets"]
        at_others = (s for s in several if s.spec.others or ANYONE in s.spec.options)
        several = several if EACH in self.spec.options else list(at_others)
        return [combatant_id for s in several for combatant_id in s.answer.split(",")]

    @property
    def most_commas(self) -> int:
        """The most commas there can be: one die for each target."""
        return max(super().most_commas, self.count - 1)

    def _clear(self) -> None:
        self.outcomes, self.digits, self.lean = (), "", ""
        self.natural = self.rolls = self.left = False

    def erase(self) -> bool:
        """Take back the last outcome or digit."""
        if super().erase():
            return True
        if self.outcomes and self.natural:
            self.natural = False
            return True
        if not (self.outcomes or self.natural):
            return False
        left = self.outcomes[:-1]
        self._clear()
        self.outcomes = left
        return True

    def read(self, words: Sequence[Token]) -> int:
        """Read outcomes with commas between or one by one, `roll`, or `natural` and the dice."""
        each, known_words = words[: self.count], {*self.words_by_key.values(), ROLL, LATER}
        if len(each) == self.count > 1 and all(word in known_words for word in each):
            self.outcomes = tuple(map(str, each))
            return self.count
        parts = words[0].split(",")
        if all(word in self.words_by_key.values() for word in parts):
            self.outcomes = tuple(parts)
            return 1
        taken = super().read(words)
        self.natural = bool(self.digits)
        while self.natural and words[taken : taken + 1] == ["natural"] and words[taken + 1 :]:
            self.digits += f" {words[taken + 1]}"
            taken += 2
        return taken

    @property
    def by_default(self) -> bool:
        """True if affray rolls by default: only for the GM's combatants."""
        return self._is_rolled_by_app

    @property
    def who_rolls(self) -> list[str]:
        """The ids of those who roll: each of several, those who save, or one."""
        return self._each if EACH in self.spec.options else super().who_rolls

    def is_needed(self) -> bool:
        """False for a technique without a roll."""
        if not super().is_needed() or self._needs_none:
            return False
        return not self.spec.optional or bool(self.answer) or self._is_taken

    @property
    def _needs_none(self) -> bool:
        """True if the command needs no roll, and takes none now."""
        if self.is_answered or self.natural or self.rolls or not self.barred_by(ROLL):
            return False
        barred = (self.barred_by(word) for word in self.words_by_key.values())
        return self.look("") is not None and all(barred)

    @property
    def _is_taken(self) -> bool:
        """True if the command takes an outcome here: not for a spell without a roll."""
        offered = self._offered
        return not offered or any(word in self._rules for word in offered)

    @property
    def _offered(self) -> tuple[str, ...]:
        """The words that the command takes here."""
        found = self.view.follow(self.so_far() + self.by)
        return (*found.words, *found.alike)

    @property
    def enter_may_finish(self) -> bool:
        """True if enter at an earlier field has affray roll: never a player's save."""
        return self.spec.optional or self.by_default or self._waits

    @property
    def _waits(self) -> bool:
        """True if the command needs no answer, and rolls no player's die: players' saves wait for
        theirs."""
        line = self.so_far() + self.by
        if self.touched or self.view.decide(line) is None:
            return False
        return not any(die.is_check for die in self.view.preview_command.players_dice(line))

    def asks_to_roll(self, die: PlayersDie) -> bool:
        """True if `r` was pressed for this die, or for all."""
        by_id = dict(zip(self._each, self.outcomes, strict=False))
        return super().asks_to_roll(die) or (die.is_check and by_id.get(die.who) == ROLL)

    @property
    def is_answered(self) -> bool:
        """True if the GM called an outcome or typed a die."""
        return bool(self.outcomes or self.digits)

    @property
    def answer(self) -> str:
        """The outcome's word, `hit,miss`, `natural 15`, `hit miss natural 7`, or `roll`."""
        if self.outcomes and self.digits:
            return f"{' '.join(self.outcomes)} {super().answer}"
        one_by_one = {ROLL, LATER} & {*self.outcomes}
        return (" " if one_by_one else ",").join(self.outcomes) or super().answer

    @property
    def missing(self) -> str:
        """A message that some targets have no outcome yet; empty if nothing is missing."""
        given = len(self.outcomes) + len(self.digits.split(",")) * bool(
            self.outcomes and self.digits
        )
        if (given > 1 or (self.natural and self.outcomes)) and given != self.count:
            return f"{given} outcomes for {self.count}: {_EACH}"
        return "" if self._waits else super().missing

    @property
    def hits(self) -> bool:
        """True if the fields that follow a hit, such as damage, are asked for."""
        return (
            not self.outcomes
            or bool(self.digits)
            or self.is_save
            or any(word not in self._rules or self._rules[word].hits for word in self.outcomes)
        )

    @property
    def is_save(self) -> bool:
        """True if the called outcome is a save against damage, so that damage is asked for only if
        some is left."""
        deals = any(isinstance(field, DamageField) for field in self.row)
        is_named = any(word in self._rules and self._rules[word].named for word in self.outcomes)
        return deals and (is_named or (bool(self.outcomes) and self._is_saved_by_targets))

    @property
    def misses(self) -> bool:
        """True if every target has an outcome, and none is a hit."""
        return len(self.outcomes) == self.count and not self.hits

    @property
    def shown(self) -> str:
        """The outcomes in the prompt's row; for several with their names, and `?` for the next."""
        if self.natural and not (self.digits or self.outcomes):
            return f"{self.die} …"
        if self.count == 1 or not self.outcomes:
            return ", ".join(self.outcomes) or super().shown
        names = map(self.view.state.name, self._each)
        dice = self.digits.split(",") if self.digits else []
        row = (*self.outcomes, *(f"{self.die} {face}".rstrip() for face in dice), "?")
        return "  ".join(map(" ".join, zip(names, row, strict=False)))

    def offers(self) -> list[AnswerOption]:
        """The outcomes, the die and the roll, each with its letter."""
        result = [
            AnswerOption(key, self._rules[word].label or word, word in self.outcomes)
            for key, word in self.words_by_key.items()
        ]
        natural = AnswerOption("n", f"{self.die} as rolled", self.natural)
        later = [AnswerOption("l", LATER)] if "l" in self._of_one_by_key else []
        return [*result, *later, natural, AnswerOption("r", "roll", self.rolls)]

    @property
    def hint(self) -> str:
        """The number to roll against; empty for none."""
        return self._against()

    @property
    def tip(self) -> str:
        """Keys for advantage, only beside a die; of several dice, that each may have its own."""
        if self.natural and self.leans:
            return "a advantage · d disadvantage"
        return _EACH if self.count > 1 and not self.outcomes else ""

    def _against(self) -> str:
        """`against 12`, or `against 18, 14` for targets whose numbers differ; empty without a
        number. Once the first outcome is called, only the next target's number."""
        decision = self.foreseen
        row = [str(number) for number in numbers_of(decision)] if decision is not None else []
        if 0 < len(self.outcomes) < len(row):
            row = row[len(self.outcomes) :][:1]
        return f"against {', '.join(row if len(set(row)) > 1 else row[:1])}" if row else ""

    @property
    def foreseen(self) -> Decision | None:
        """A preview of the roll, or of the first outcome if no die can be previewed."""
        if not self.applies():
            return None
        return super().foreseen or self.look(next(iter(self.words_by_key.values()), ""))

    @property
    def wants(self) -> str:
        """The forms of an answer, for a refusal."""
        row = (
            f"{key} {self._rules[word].label or word}" for key, word in self.words_by_key.items()
        )
        return f"{', '.join(row)}, n and the {self.die}, or r"


# -------------------------------------------------------------------------------------------------
# Damage as it was rolled, or as dice to roll, with its type

MOST_DIGITS = 4
"""The most digits of an amount."""
DIE = "d"
_DIE = r"\d{1,2}d\d{1,3}(r\d{1,3})?!?"
_AMOUNT = late_pattern(rf"\d{{1,4}}|{_DIE}([+-]({_DIE}|\d{{1,3}}))*")
MORE = "+,"
"""The keys that begin damage of another type."""


class DamageField(PromptField):
    """Damage: an amount or dice such as `2d6+3`, then letters of its type.

    If nothing is typed, affray rolls the attack's dice. `d` counts as a letter until a digit
    follows, as does `r` after dice; `!` has them explode. After a type `+` or `,` begins damage of
    another: `8s+4f` is `8 slashing 4 fire`. The field's options are words in place of damage, by
    their first letters.
    """

    is_rolled = is_amount = True
    digits = letters = ""
    """The last amount typed, and the letters of its type."""
    word = ""
    """The option chosen in place of damage."""
    parts: tuple[tuple[str, str], ...] = ()
    """The amounts typed before `digits`, each with its type."""

    def feed(self, key: str) -> KeyResult:
        """Take digits of the amount, then letters that narrow down the type."""
        if key.isdecimal() and (not self.letters or self._begins_a_die):
            return self._number(f"{self.digits}{self.letters}{key}")
        if key.isdecimal() and self.type:
            self.trouble = f"{key} comes after {self.type}: + adds damage of another type"
            return KeyResult.REFUSED
        if key == EXPLODES and not self.letters and _AMOUNT.fullmatch(self.digits + key):
            return self._number(self.digits + key)
        if key in SIGNS and self._is_dice and not self.letters and self._is_whole:
            return self._number(f"{self.digits}{key}")
        if (key in MORE and self.type) or (key == "+" and self.digits and self._takes_more):
            return self._more()
        if not self.digits and not self.parts:
            word = next((w for w in self.spec.options if key and w.startswith(key)), "")
            if word:
                self.word, self.rolls = word, False
                return KeyResult.NEXT
            if key == "r" and self.can_roll:
                self.word, self.rolls = "", True
                return KeyResult.NEXT
        if len(key) == 1 and key.isalpha() and self.digits and self._types(""):
            self.letters += key
            if self._begins_a_die:
                return KeyResult.KEPT
            self.trouble = self._fits_nothing  # what was begun before is not the type then
            return KeyResult.REFUSED if self.trouble else KeyResult.KEPT
        return KeyResult.REFUSED

    @property
    def first_letters(self) -> Collection[str]:
        """The letters of its options, and of a roll by affray."""
        return [*(word[0] for word in self.spec.options), "r"]

    def _number(self, text: str) -> KeyResult:
        """Take the amount, unless it is too long."""
        most = MOST_IN_DICE if DIE in text else MOST_DIGITS
        if len(text) > most:
            self.trouble = f"{text} is too much damage"
            return KeyResult.REFUSED
        self.digits, self.letters, self.word, self.rolls = text, "", "", False
        return KeyResult.KEPT

    @property
    def _is_dice(self) -> bool:
        return DIE in self.digits

    @property
    def _begins_a_die(self) -> bool:
        """True if the typed `d` may still become a die, or an `r` after one a reroll."""
        begun = self.letters in (DIE, REROLLS)
        return begun and _AMOUNT.fullmatch(f"{self.digits}{self.letters}1") is not None

    def _more(self) -> KeyResult:
        """Go on to damage of another type, if the command takes it."""
        if not self._takes_more:
            self.trouble = "this takes no second type"
            return KeyResult.REFUSED
        self.parts += ((self.digits, self.type),)
        self.digits = self.letters = ""
        return KeyResult.KEPT

    @property
    def _takes_more(self) -> bool:
        kind = self.type or next(iter(self._types("")), "")
        return self._is_whole and not self.barred_by(f"{self.answer} 1 {kind}")

    @property
    def _fits_nothing(self) -> str:
        """A message that no type has the typed letters; empty if one has."""
        return no_name_has(self.letters) if self.letters and not self.type else ""

    def read(self, words: Sequence[Token]) -> int:
        """Read amounts with their types, or an option; returns the number of words read."""
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
        return taken

    def _types(self, begin: str) -> list[str]:
        return begun_so(begin, self.view.ruleset.tables.damage_types)

    @property
    def type(self) -> str:
        """The damage type that the letters lead to."""
        return next(iter(self._types(self.letters)), "") if self.letters else ""

    def erase(self) -> bool:
        """Delete a letter, a digit, the `+` of another type, the option or the `r`."""
        if self.word or self.rolls:
            self.word, self.rolls = "", False
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

    def is_needed(self) -> bool:
        """True if the earlier roll hits, and the command takes an amount now; after a miss, or
        after called saves, only if the amount matters."""
        rolls = [s for s in self.earlier if isinstance(s, OutcomeField)]
        if not super().is_needed():
            return False
        if not all(s.hits for s in rolls):
            return all(s.hits or s.misses for s in rolls) and self._matters(unknown=False)
        if not all(s.applies() for s in rolls):
            return bool(self.answer) or self._falls
        if any(s.is_save for s in rolls) and not self._matters(unknown=True):
            return False
        is_called = self.people_before() and all(len(s.outcomes) in (0, s.count) for s in rolls)
        return not (rolls and is_called) or self.asks_on or bool(self.answer) or self._is_offered

    @property
    def _is_offered(self) -> bool:
        """False if the command takes damage but needs none, as far as is known. Then `more` offers
        it."""
        kinds = {field.kind for field in self.view.follow(self.so_far() + self.by).besides}
        return "damage" not in kinds or bool(kinds & {NUMBER, DICE})

    @property
    def _falls(self) -> bool:
        """True if the act changes somebody's HP without a roll to hit."""
        decision = self.look("")
        return decision is not None and changes_health(decision, self.view.ruleset.tables)

    def _matters(self, unknown: bool) -> bool:
        """True if the amount makes any difference to the command; `unknown` if the command refuses
        one."""
        little, amounts = self.look("9"), self.look("99")
        if little is None or amounts is None:
            return unknown
        return _changes(little) != _changes(amounts)

    @property
    def answer(self) -> str:
        """The words for the command: `8`, `8 slashing 4 fire`, or the option."""
        return self.word or " ".join(filter(None, (*chain(*self.parts), self.digits, self.type)))

    @property
    def missing(self) -> str:
        """A message about the missing part; empty if the damage is complete or affray can roll
        it."""
        if self.digits and not self._is_whole:
            return f"{self.digits} is neither a number nor dice such as 2d6+3"
        if self._fits_nothing or (self.parts and not (self.digits and self.type)):
            return self._fits_nothing or "more damage, then letters of its type"
        return "" if self.answer or self.can_roll else "type the damage"

    @property
    def _is_whole(self) -> bool:
        return _AMOUNT.fullmatch(self.digits) is not None

    @property
    def can_roll(self) -> bool:
        """True if affray can roll the damage if nothing is typed."""
        return self.look("") is not None

    @property
    def wants(self) -> str:
        """The forms of an answer, for a refusal."""
        words = [f"or {word[0]} {word}" for word in self.spec.options]
        return " ".join(["a number or dice, then letters of its type", *words])

    @property
    def enter_may_finish(self) -> bool:
        """True if enter at an earlier field has affray roll, unless a player called the attack."""
        if self.spec.optional:
            return True
        return self.view.by_the_app() and not self._called and self.can_roll

    @property
    def _called(self) -> bool:
        """True if a player called the attack roll of one of the party."""
        rolls = [s for s in self.earlier if isinstance(s, OutcomeField) and s.applies()]
        combatant = self.view.state.find(self.view.actor)
        is_party = combatant is not None and combatant.side == "party"
        return is_party and any(s.is_answered for s in rolls)

    @property
    def shown(self) -> str:
        """The amounts with their types; letters that fit no type as they were typed."""
        text = self.word or f"{self.digits} {self.type or self.letters}".strip()
        text = "roll" if self.rolls else text
        return " + ".join([*map(" ".join, self.parts), text])

    def offers(self) -> list[AnswerOption]:
        """The types that fit the typed letters; before any key the options."""
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
        if self.digits:
            return "letters for its type" if self.view.ruleset.tables.damage_types else ""
        if self.parts:
            return "more damage"
        return "" if self.rolls else AS_ROLLED

    @property
    def tip(self) -> str:
        """The key that rolls."""
        by_app = self.view.by_the_app() and not self._called
        rolls = "nothing: the app rolls" if by_app else "r rolls"
        return rolls if self.hint == AS_ROLLED and self.can_roll else ""


def _changes(decision: Decision) -> list[AnyEvent]:
    """The changes of a command, without notes such as damage prevented by a save."""
    return [event for event in decision.events if not _is_only_told(event)]


def _is_only_told(event: AnyEvent) -> bool:
    return isinstance(event, TrackChanged) and event == TrackChanged(
        event.who, event.track, parts=event.parts
    )
