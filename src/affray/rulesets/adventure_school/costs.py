"""What abilities and spells take of a turn and of resources, as sheets and commands say it.

Seed 001: Stamina, Exhaust, Diminish, Fortune Points, Spirit Points, Spellburn, Control and Chaos;
rules file, 13 to 16 and Commands, 1.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Struct

from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading, usage_of
from affray.core.language.refusal import Refused, close_to
from affray.rulekit import sheets
from affray.rulekit.acts import Cost
from affray.rulesets.adventure_school.creatures import BONUS, DICE, EXTRA, THREAT, TYPE, Attack

Takes = Literal["action", "move", "fast", "spammable", "free", "reaction", "effortless"]
TAKES: tuple[str, ...] = get_args(Takes)
"""What an ability takes of a turn, or that it is done outside of one's own."""
POINTS = ("stamina", "fortune", "spirit", "control")
"""The resources that are spent by the point; the spellburn die is rolled."""
STAT = "abilities"
"""The stat that holds the abilities."""


def _so_much(track: str) -> Argument:
    return arguments.clause(track, arguments.number(f"how much {track} it takes", 1, 999))


def _times(reading: Reading) -> bool:
    """Whether a number without a sign stands next: one with a sign is a bonus to hit."""
    return reading.words.has_number() and reading.words.peek()[:1].isdecimal()


_SPELLBURN = Argument(
    lambda reading: reading.words.number("how often the die is rolled", 1, 20), "N", _times
)


class Costs(Struct, frozen=True):
    """What is said of a price. `spellburn` is how often the die is rolled."""

    takes: Annotated[Takes, arguments.one_of(*TAKES)] = "action"
    stamina: Annotated[int, _so_much("stamina")] = 0
    exhaust: Annotated[int, _so_much("exhaust")] = 0
    fortune: Annotated[int, _so_much("fortune")] = 0
    spirit: Annotated[int, _so_much("spirit")] = 0
    control: Annotated[int, _so_much("control")] = 0
    spellburn: Annotated[int, arguments.clause("spellburn", _SPELLBURN, may_be_empty=1)] = 0
    minor_spellburn: Annotated[bool, arguments.flag()] = False
    diminish: Annotated[int, _so_much("diminish")] = 0

    @property
    def points(self) -> Cost:
        """What it takes of resources by the point, what it exhausts among it: {"stamina": 2}."""
        row = (self.stamina + self.exhaust, self.fortune, self.spirit, self.control)
        return {track: much for track, much in zip(POINTS, row, strict=True) if much}

    @property
    def burns(self) -> int:
        """How often the spellburn die is rolled for it."""
        return self.spellburn or int(self.minor_spellburn)


USUAL = Costs()
"""What is said where nothing is: it takes the action."""


class Ability(Costs, frozen=True, kw_only=True):
    """An ability or a spell: its price, and its attack if it is one.

    `uses` is how often it can be used between two rests, 0 without limit; `bonus` is None where it
    is no attack.
    """

    name: Annotated[str, arguments.name("the ability's name")]
    bonus: Annotated[int | None, BONUS] = None
    dice: Annotated[str, DICE] = ""
    type: Annotated[str, TYPE] = ""
    uses: Annotated[
        int, arguments.clause("uses", arguments.number("how often between two rests", 1, 99))
    ] = 0
    ranged: Annotated[bool, arguments.flag()] = False
    threat: Annotated[int, THREAT] = 0
    extra: Annotated[tuple[str, ...], EXTRA] = ()

    @property
    def attack(self) -> Attack:
        """The attack that it is, at no bonus where none is said."""
        bonus, threat = self.bonus or 0, self.threat
        return Attack(
            self.name, bonus, self.dice, self.type, self.ranged, threat=threat, extra=self.extra
        )


USAGE = f"[ability {usage_of(Ability)}]"
"""How sheets have it."""


def abilities_of(who: Combatant) -> list[Ability]:
    """Its abilities and spells, in the order in which they were said."""
    return sheets.rows_of(who, STAT, Ability, lambda row: sheets.is_dice(row.dice, *row.extra[:1]))


def spells_of(who: Combatant) -> list[str]:
    """The names of its abilities that are spells: they take spellburn or control."""
    return [each.name for each in abilities_of(who) if each.burns or each.control]


def spell_called(who: Combatant, said: str) -> Ability:
    """The spell of that name, or of its one beginning; or one of which the sheet doesn't tell.

    Raises Refused for what may be a slip of one that is there.
    """
    wanted, row = said.casefold(), {each.name.casefold(): each for each in abilities_of(who)}
    begun = [name for name in row if name.startswith(wanted)]
    near = [] if begun else close_to(wanted, list(row))
    if near:
        raise Refused(f"{who.name} has no spell {said!r}; did you mean {row[near[0]].name}?")
    name = wanted if wanted in row else begun[0] if len(begun) == 1 else ""
    return row.get(name) or Ability(name=said)
