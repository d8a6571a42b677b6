"""Fields answered by one combatant, by number or name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from msgspec.structs import replace

from affray.core.engine.state import Combatant
from affray.core.parser.declarations import PromptSpec
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ALLIES, ANYONE, NOTED, PLACED, Field
from affray.core.parser.targets import called_like, goes_on_with_digit, resolve
from affray.core.parser.tokens import Token
from affray.tui.prompts.context import PARTY, Numbered, PromptContext
from affray.tui.prompts.field import ACTOR, AnswerOption, KeyResult, PromptField

# -------------------------------------------------------------------------------------------------
# Numbers typed digit by digit


def is_number_prefix(digits: str, numbers: Collection[int]) -> bool:
    """True if digits are one of the numbers, or the beginning of one."""
    return any(str(number).startswith(digits) for number in numbers)


def may_grow(digits: str, numbers: Collection[int]) -> bool:
    """True if another digit would make one of the numbers."""
    return any(str(n).startswith(digits) and len(str(n)) > len(digits) for n in numbers)


def append_digit(digits: str, key: str, numbers: Collection[int]) -> str:
    """Return the digits after a key: `1` and `2` give `12` if one of the numbers begins so.

    Otherwise the key begins a new number; empty if no number begins with it.
    """
    both = digits + key
    return (
        both if is_number_prefix(both, numbers) else key if is_number_prefix(key, numbers) else ""
    )


def no_number(digits: str, numbers: Collection[int]) -> str:
    """Say that nobody has that number."""
    most = max(numbers, default=0)
    if 0 < int(digits) <= most:
        return f"{digits} is no longer anybody's number"
    return f"{digits} is not a number in the order: use 1 to {most}"


MOVES = {"j": 1, "down": 1, "k": -1, "up": -1}
"""The keys that move the offer to another combatant: key -> steps."""
SEVERAL_BY_KEY = {"F": "the foes", "P": "the party", "*": "everybody", "=": "the same as before"}
"""The keys that name several at once, in every prompt that takes several."""
DOERS = ("self", "anyone")
"""The kinds of fields that may name an actor whose ally a later field asks for."""
NAMES = "'"
"""The key that begins a name: letters after it are only a name."""


class CombatantFieldBase(PromptField):
    """The base of fields that name combatants: by number, by letters of a name, or by j and k.

    pick    the id of the combatant on offer, chosen if nobody else is named
    typed   the typed letters of a name; None if none was begun
    quoted  True if `NAMES` began that name: then letters that fit nobody stay
    ended   the letters of such a name that fitted just one when the last key went on
    """

    pick = ""
    typed: str | None = None
    quoted = False
    ended: str | None = None
    _fitting: tuple[str, dict[str, int]] | None = None
    """The actor for whom candidates were last found, and their numbers by id."""

    def begin(self) -> None:
        """Propose somebody, once the command is known."""
        self.pick = self._likely()

    def _likely(self) -> str:
        """The id of the proposed combatant; empty for nobody."""
        raise NotImplementedError

    @property
    def at_foes(self) -> bool:
        """True if foes are offered first."""
        return self.spec.kind == "target"

    @property
    def at_allies(self) -> bool:
        """True if friends are offered first, and only those still in the fight."""
        return self.spec.kind == "ally" or ALLIES in self.spec.options

    @property
    def no_foe_stands(self) -> bool:
        """True if foes are wanted and none is left; then nobody is offered."""
        return self.at_foes and self.spec.others and not self.view.likely_foe()

    def unfit(self, combatant: Combatant) -> str:
        """The reason why a combatant can't be chosen; empty for one who can.

        With `Field.others` neither the actor nor the dead can be chosen, unless the field allows
        the actor.
        """
        is_left_out = self.spec.others and ANYONE not in self.spec.options
        if is_left_out and combatant.id == self.view.actor:
            return f"{combatant.name} is the one acting: choose somebody else"
        if self.spec.others and combatant.life == "dead":
            return f"{combatant.name} is dead"
        named = f"{self.spec.before} {combatant.id}".strip()
        return self.barred_by(named) if self.spec.legal else ""

    @property
    def candidates(self) -> dict[str, int]:
        """The ids that can be chosen, with their numbers.

        The likely ones come first: foes, the party, or the side of the combatant named before.
        """
        view = self._view_of_doer
        if self._fitting is None or self._fitting[0] != view.actor:
            row = self.ranked(view)
            fit = {combatant.id: number for number, combatant in row if not self.unfit(combatant)}
            self._fitting = view.actor, fit
        return self._fitting[1]

    def ranked(self, view: PromptContext) -> Numbered:
        """The combatants who can be chosen, the likely ones first."""
        is_party = PARTY in self.spec.options
        others = PARTY if is_party else "ally" if self.at_allies else ""
        return view.first("target" if self.at_foes else others)

    @property
    def _view_of_doer(self) -> PromptContext:
        """The fight as seen by the one whose ally is to be chosen: the one named before, or the
        actor."""
        doer = self.person_before(DOERS) if self.spec.kind == "ally" else None
        return self.view if doer is None else replace(self.view, actor=doer.id)

    def offer_next(self, by: int = 1) -> None:
        """Offer another of the candidates, so many steps further in their list."""
        fit = list(self.candidates)
        if fit:
            at = fit.index(self.pick) + by if self.pick in fit else 0
            self.pick = fit[at % len(fit)]

    # -- by name -----------------------------------------------------------------------------------

    def begin_name(self, quoted: bool = False) -> None:
        """Take the next keys as letters of a name; after `NAMES` they are nothing else."""
        self.typed, self.quoted = "", quoted
        self.name("")

    def begins_name(self, key: str) -> bool:
        """Take a key that answers nothing else as the first letter of a name; False if no name has
        it. After a complete name it is one letter too many, and stays there."""
        if self.ended is not None and len(key) == 1 and key.isalnum():
            self._stand(self.ended + key)
            return True
        if not (self._is_open and len(key) == 1 and key.isalpha() and self._called(key)):
            return False
        self.begin_name()
        self.type_name(key)
        return True

    @property
    def _is_open(self) -> bool:
        """True if a letter may begin a name."""
        return not self.touched

    def type_name(self, key: str) -> KeyResult | None:
        """Take the next key of a name; None for a key that continues no name.

        A digit that makes the number of a name complete (`goblin 2`) ends the name.
        """
        longer = f"{self.typed or ''}{key}"
        if len(key) > 1 or not key.isalnum():
            return None
        found, grows = self._called(longer), self._grows(longer)
        if not found and not (grows and key.isdecimal()):
            return self._fits_nobody(longer)
        self.typed = longer
        self.name(found[0].id if len(found) == 1 else "")
        return KeyResult.NEXT if found and key.isdecimal() and not grows else KeyResult.KEPT

    def could_name(self, word: str) -> bool:
        """True if letters, with digits after them, fit somebody who can be chosen."""
        return bool(self._called(word)) or (word[-1:].isdecimal() and self._grows(word))

    def _grows(self, word: str) -> bool:
        return goes_on_with_digit(word, filter(None, map(self.view.state.find, self.candidates)))

    def _fits_nobody(self, word: str) -> KeyResult | None:
        """The result of a key that makes the letters fit nobody who can be chosen. If `NAMES` began
        the name, it stays. After a complete name it goes to the next field, except a digit of
        somebody who can't be chosen.
        """
        other = self._why_not_called(word) if word[-1].isdecimal() else ""
        if self.pick and not other:
            return None
        if self.quoted:
            self._stand(word)
            return KeyResult.REFUSED
        self.trouble = other
        return KeyResult.REFUSED if other else None

    def _stand(self, word: str) -> None:
        """Leave letters that fit nobody until they are deleted."""
        self.typed, self.quoted, self.ended = word, True, None
        self.name("")
        self.trouble = self.unnamed

    def _why_not_called(self, word: str) -> str:
        """The reason why the named combatant can't be chosen; empty if nobody has the name."""
        others = [c for c in self.view.people if c.id not in self.candidates]
        return next(filter(None, map(self.unfit, called_like(word, others))), "")

    def untype(self, offered: str) -> bool:
        """Take back the last key of a name; `offered` is on offer again. False if no name was
        typed."""
        if self.typed is None:
            return False
        left, self.typed, self.pick = self.typed[:-1], None, offered
        for key in left:
            self.type_name(key)
        self.quoted = self.quoted and self.typed is not None
        return True

    def name(self, combatant_id: str) -> None:
        """Take the combatant whose name was typed; an empty id while several are possible."""
        self.pick = combatant_id

    def _called(self, word: str) -> list[Combatant]:
        """The candidates whose names fit the typed letters."""
        return called_like(word, filter(None, map(self.view.state.find, self.candidates)))

    @property
    def wants_letters(self) -> bool:
        """True if every letter belongs to a name, since `NAMES` began one that fits nobody yet."""
        return self.quoted and self.typed is not None and not self.pick

    @property
    def unnamed(self) -> str:
        """A message with the names that the typed letters still fit; empty if they name one
        combatant."""
        if self.typed is None or self.pick:
            return ""
        if not self.typed:
            return "letters of a name, and its number"
        found = self._called(self.typed)
        if found:
            return f"{self.typed} could be {join_or(c.name for c in found)}"
        why = self._why_not_called(self.typed) or f"nobody here is called {self.typed}"
        return f"{why}: backspace deletes a letter; esc leaves"

    # -- what is shown -----------------------------------------------------------------------------

    def by_number(self, picked: Collection[str]) -> list[AnswerOption]:
        """The candidates by number; of allies only those still in the fight."""
        people = self.view.by_number
        meant = {c.id for c in self._called(self.typed)} if self.typed else self.candidates
        fit = (
            (combatant_id, number)
            for combatant_id, number in self.candidates.items()
            if combatant_id in meant and not (self.at_allies and people[number].is_out)
        )
        return [
            AnswerOption(str(number), people[number].name, combatant_id in picked)
            for combatant_id, number in fit
        ]

    def nobody_has(self, digits: str) -> str:
        """Say that nobody has that number."""
        return no_number(digits, self.view.by_number)


# -------------------------------------------------------------------------------------------------
# One combatant


class CombatantField(CombatantFieldBase):
    """One combatant, by number or name; j and k move the offer.

    A number is complete when no further digit could follow; then the next field is asked for. Any
    other key accepts the combatant on offer, and goes to the next field. The field is skipped for a
    `person` who is the only candidate, with `self:unplaced` for the next of the party without
    initiative, and with `self:up` for the one under the cursor whose turn it is.
    """

    is_whom = True
    digits = ""
    is_answered = False
    """True if the GM named somebody; False for a mere offer."""

    def __init__(self, spec: Field, view: PromptContext, earlier: Sequence[PromptField]) -> None:
        super().__init__(spec, view, earlier)
        self.given = False
        if not spec.legal:
            self.begin()

    def begin(self) -> None:
        """Propose somebody; without asking, if the answer is clear."""
        super().begin()
        spec, view = self.spec, self.view
        only = spec.kind == "person" and len(self._likeliest) == 1 and self.what != PLACED
        waits = view.state.find(self.pick) if spec.kind == "self" and self.what else None
        self.given = only or (waits is not None and view.true_of(waits, self.what))

    @property
    def what(self) -> str:
        """The condition that a combatant must meet to be chosen; empty if anybody can be."""
        return next(iter(self.spec.options), "")

    @property
    def nobody(self) -> str:
        """The reason why there is nobody to choose; empty if there is."""
        if self.what and self.spec.kind == "person":
            return f"nobody is {self.what}"
        likely = self.view.state.find(self._view_of_doer.likely(self.spec.kind, self.what))
        return (self.unfit(likely) if likely is not None else "") or "there is nobody to choose"

    @property
    def label(self) -> str:
        """`target`, `ally`, the word before the name such as `from`, or `who`."""
        if self.spec.kind == "anyone" and self.spec.before:
            return self.spec.before
        return self.spec.kind if self.spec.kind in ("target", "ally") else "who"

    def feed(self, key: str) -> KeyResult:
        """Take digits, letters of a name and moves; any other key is for the next field."""
        self.ended = None
        if self.typed is not None:
            fed = self.type_name(key)
            if fed is not None:
                return fed
        elif key == NAMES:
            self.digits = ""
            self.begin_name(quoted=True)
            return KeyResult.KEPT
        elif key.isdecimal():
            return self._digit(key)
        if key in MOVES and not self.typed:
            self.digits, self.typed, self.is_answered = "", None, True
            self.offer_next(MOVES[key])
            return KeyResult.KEPT
        if self.missing:
            self.trouble = self.missing
            return KeyResult.REFUSED
        self.ended = self.typed if self.quoted else None
        self.accept()
        return KeyResult.PASS

    def _digit(self, key: str) -> KeyResult:
        """Take a digit; one that completes a number of nobody who can be chosen is refused;
        behind a number that nobody has, nobody is on offer."""
        digits, fit = self.digits + key, self.candidates.values()
        found = self.view.by_number.get(int(digits))
        if not is_number_prefix(digits, fit):
            if self.digits and self.pick:
                self.accept()  # the number is whole, and the digit is for what comes next
                return KeyResult.PASS
            self.trouble = self.unfit(found) if found is not None else self.nobody_has(digits)
            if found is None:
                self.digits, self.pick, self.is_answered = "", "", True
            return KeyResult.REFUSED
        self.digits, self.is_answered = digits, True
        self.pick = found.id if found is not None else ""
        if may_grow(digits, fit):
            return KeyResult.KEPT
        self.accept()
        return KeyResult.NEXT

    def unfit(self, combatant: Combatant) -> str:
        """The reason why a combatant can't be chosen: for `person`, one of the field's conditions
        must hold as well, unless they only say who is likely."""
        if self.spec.kind == "person" and not (self.spec.named or self._is_so(combatant)):
            return (
                f"not {combatant.name}: choose somebody who is {join_or(self.spec.options, 'or')}"
            )
        return super().unfit(combatant)

    @property
    def _likeliest(self) -> list[str]:
        """The candidates who meet one of the field's conditions."""
        return [each for each in self.candidates if self._is_so(self.view.state[each])]

    def ranked(self, view: PromptContext) -> Numbered:
        """The combatants, the likely ones first."""
        row = super().ranked(view)
        if not self.spec.named:
            return row
        return tuple(sorted(row, key=lambda each: not self._is_so(each[1])))

    def _is_so(self, combatant: Combatant) -> bool:
        """True for a combatant who meets one of the field's conditions."""
        return any(self.view.true_of(combatant, each) for each in self.spec.options or ("",))

    def _likely(self) -> str:
        if self.spec.optional:
            return ""
        what = PARTY if PARTY in self.spec.options else self.what
        likely, fit = self._view_of_doer.likely(self.spec.kind, what), self.candidates
        if self.no_foe_stands:
            return ""
        if self.spec.named:
            found = self._likeliest
            return found[0] if len(found) == 1 else ""
        named = [combatant.id for combatant in self.people_before()]
        if self.what == PLACED:  # next to whom somebody goes
            return next((each for each in fit if each not in named), "")
        if likely in fit or (self.at_foes and self.view.reaction):
            return likely if likely in fit else ""
        return next(iter(fit), "")

    def accept(self) -> None:
        """End the number or name, so that a key after coming back begins a new one."""
        self.digits, self.typed, self.quoted = "", None, False

    def name(self, combatant_id: str) -> None:
        """Take the combatant whose name was typed as an answer."""
        super().name(combatant_id)
        self.is_answered = True

    def offer_anew(self) -> None:
        """Offer the likeliest candidate again, unless somebody was named."""
        if not self.touched and self.typed is None:
            self.pick = self._likely()

    def go_on(self) -> None:
        """Offer the next candidate, and forget the answer."""
        self.digits, self.is_answered = "", False
        self.offer_next()

    def choose(self, combatant_id: str) -> None:
        """Take a combatant whose row was clicked."""
        found = self.view.state.find(combatant_id)
        self.trouble = self.unfit(found) if found is not None else ""
        if not self.trouble:
            self.digits, self.typed, self.is_answered = "", None, True
            self.pick = combatant_id

    def read(self, words: Sequence[Token]) -> int:
        """Read a combatant from the first word; returns the number of words read."""
        try:
            self.pick = resolve(self.view.state, words[0]).id
        except Refused:
            return 0
        self.is_answered = True
        return 1

    def erase(self) -> bool:
        """Delete a digit or the answer; with neither left, offer the likeliest again."""
        if self.typed is not None:
            self.is_answered = False
            return self.untype(self._likely())
        if not self.digits and not self.is_answered:
            return False
        self.digits = self.digits[:-1]
        found = self.view.by_number.get(int(self.digits)) if self.digits else None
        self.is_answered = bool(self.digits)
        self.pick = found.id if found is not None else "" if self.digits else self._likely()
        return True

    @property
    def missing(self) -> str:
        """The reason why the field has no valid answer; empty if it has one."""
        found = self.view.state.find(self.pick)
        if found is not None:
            return self.unfit(found)
        if self.unnamed:
            return self.unnamed
        return "" if self.spec.optional and not self.digits else f"{self.label}: {self.wants}"

    @property
    def wants(self) -> str:
        """The forms of an answer, for a refusal."""
        if not self.candidates:
            return "there is nobody to choose"
        why = "no foe is standing; " if self.no_foe_stands else ""
        return f"{why}a number, or ↑ ↓"

    def why_not(self, key: str) -> str:
        """The refusal of a key that names several; empty for any other key."""
        whom = SEVERAL_BY_KEY.get(key, "")
        return f"{key} is {whom}, and this takes only one: {self.wants}" if whom else ""

    @property
    def touched(self) -> bool:
        """True if the GM named somebody."""
        return self.is_answered

    @property
    def answer(self) -> str:
        """The id of the combatant."""
        return self.pick

    @property
    def enter_may_finish(self) -> bool:
        """True if enter at an earlier field may skip this one; never an optional target."""
        return self.preset or bool(self.spec.optional and self.spec.kind != "target")

    @property
    def shown(self) -> str:
        """The name of the combatant, or what was typed of it."""
        return self.view.state.name(self.pick) if self.pick else self.digits or self.typed or ""

    @property
    def preset(self) -> bool:
        """True if the field is skipped, since its answer is clear."""
        return self.given and bool(self.pick)

    def offers(self) -> list[AnswerOption]:
        """The candidates, by number."""
        return self.by_number((self.pick,))


# -------------------------------------------------------------------------------------------------
# Who acts in another's turn: a field in front of a technique's own

WHO_CAN = "who-can"
"""The kind of a field for somebody who can use the technique in its option now."""


class EligibleCombatantField(CombatantField):
    """A combatant who can use a technique now by the rules."""

    @cached_property
    def _reasons(self) -> dict[str, str]:
        """Id -> the reason why a combatant can't use the technique now; empty for none."""
        view = self.view
        return {
            combatant.id: option.reason
            for combatant in view.people
            for option in view.ruleset.actions.options(view.ruleset.tables, view.state, combatant)
            if option.technique == self.what
        }

    def unfit(self, combatant: Combatant) -> str:
        """The reason why a combatant can't use the technique now; empty for none."""
        reason = self._reasons.get(combatant.id, "can't use it")
        return f"{combatant.name}: {reason}" if reason else ""

    def _likely(self) -> str:
        """The combatant struck last, if they have a cause to react; else the first with a cause,
        then the first foe of whoever's turn it is, or anybody."""
        view, fit, up = replace(self.view, reaction=self.what), self.candidates, self.view.state.up
        caused = [c.id for c in view.people if c.id in fit and view.cause(c.id)]
        against = [c.id for c in view.people if c.id in fit and up and c.side != up.side]
        struck = [view.last_struck] if view.last_struck in caused else []
        return next(iter([*struck, *caused, *against, *fit]), "")


def asked_of_others(spec: PromptSpec, view: PromptContext) -> PromptSpec | None:
    """The prompt of a reaction that asks first who uses it, during the actor's own turn. None for
    any other technique, or if nobody can use it.
    """
    technique = view.ruleset.tables.techniques.get(spec.technique)
    if technique is None or not technique.reaction or not view.state.takes_turn(view.actor):
        return None
    who = Field(WHO_CAN, (spec.technique,), before=ACTOR)
    if not EligibleCombatantField(who, view, ()).candidates:
        return None
    return replace(spec, fields=(who, Field(NOTED)))
