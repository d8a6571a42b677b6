"""The decisions of a game on the SRD, as the shared modules ask for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.rules.ruleset import Context, Ruleset
from affray.core.rules.tables import Tables
from affray.mechanics import checks as shared_checks, damage, powers
from affray.mechanics.actions import ActionEconomy, Cost
from affray.mechanics.conditions import DurationRules
from affray.mechanics.stats import StatRules
from affray.rulesets.srd import sheet
from affray.rulesets.srd.checks import FAILURE, CheckRequest, RollModifiers

ArgsT = TypeVar("ArgsT")
RequestT = TypeVar("RequestT")
BlowT = TypeVar("BlowT")


class SrdRules(ABC, Generic[ArgsT, RequestT, BlowT]):
    """The base of a game's own decisions: it derives a class, and passes in its only instance.

    The game says which are its attack commands' arguments, its attacks' requests, and its blows.

    Attributes:
        numbers: The game's numbers.
        lasting: How long effects last.
        economy: How its techniques are paid for.
        modifiers: The options of a save; by default none.
        check: Its checks and saving throws.
        save_type: The struct of a save on sheets and in commands.
        attack_check: Its attack rolls, a `srd.attacks.AttackCheck`.
        doubles_criticals: True if a critical doubles the rolled damage; else it doubles the dice.
        all_is_untyped_too: True if resistance to `all` includes damage without a type.
        spans_down: The spans of what is counted of somebody while at 0 HP.
        acts_with: The tracks that let somebody use powers; one of them is enough.
    """

    numbers: StatRules
    lasting: DurationRules
    economy: ActionEconomy
    modifiers: type[RollModifiers]
    check: type[CheckRequest]
    save_type: type[sheet.Save] = sheet.Save
    attack_check: Callable[..., Any]
    doubles_criticals = False
    all_is_untyped_too = False
    spans_down: tuple[str, ...] = ()
    acts_with: tuple[str, ...] = ("action",)

    @abstractmethod
    def attacks_of(self, combatant: Combatant) -> Sequence[sheet.Attack]:
        """List the attacks on a sheet, in order."""

    @abstractmethod
    def powers_of(self, combatant: Combatant) -> Sequence[sheet.Power]:
        """List the powers on a sheet."""

    def cost_of(self, state: Encounter, power: sheet.Power) -> Cost:
        """The price of a power in a turn."""
        return power.cost

    @abstractmethod
    def speed(self, tables: Tables, state: Encounter, combatant: Combatant) -> int:
        """Feet in this turn."""

    @abstractmethod
    def pay_reaction(self, ctx: Context, combatant: Combatant, what: str) -> None:
        """Pay a reaction that is no technique's. Raises Refused with the reason."""

    def sees_all(self, state: Encounter, by: Combatant, whom: Combatant) -> bool:
        """True if somebody sees another one that isn't said to be unseen."""
        return bool(by.stats.get("blindsight"))

    @abstractmethod
    def require_attack(
        self, ctx: Context, attacker: Combatant, args: ArgsT, request: RequestT
    ) -> None:
        """Raises Refused for an attack that this game alone doesn't allow."""

    def do_friends_provoke(self, state: Encounter) -> bool:
        """True if one may have an opportunity attack on somebody of one's own side."""
        return False

    def choice_at_zero(self, args: ArgsT) -> str:
        """Return the attacker's choice for a target at 0 HP; empty for none."""
        return ""

    def asks_save(self, state: Encounter, attack: sheet.Attack, words: Any = None) -> bool:
        """True if a hit asks for a save; `words` are the attack's options."""
        return attack.save is not None

    def after_hit(  # most do nothing more
        self, ctx: Context, target: Combatant, critical: bool
    ) -> None:
        """Apply a hit's effects right after its damage; `target` is its state before."""

    def after_attack(  # as above
        self, ctx: Context, attacker: Combatant, args: ArgsT, request: RequestT, outcome: str
    ) -> None:
        """Apply an attack's effects after everything else, hit or miss."""

    def is_defended(self, state: Encounter, target: Combatant, what: str, *kinds: str) -> bool:
        """True if a target has a `resistance`, `vulnerability` or `immunity` to one of these."""
        return sheet.has(target, what, *kinds)

    def roll_damage(self, ctx: Context, by: str, dice: str, kind: str, critical: bool) -> int:
        """Roll damage of a type, and give the amount; 0 without dice."""
        return max(0, shared_checks.roll_extra_dice(ctx, by, dice, "damage")) if dice else 0

    @abstractmethod
    def require_healable(self, state: Encounter, target: Combatant) -> None:
        """Raises Refused for a target that can't be healed now."""

    def after_defences(
        self, ctx: Context, target: Combatant, amount: int, how: damage.Steps
    ) -> tuple[int, damage.Steps]:
        """Change damage after resistances, with its steps."""
        return amount, how

    @abstractmethod
    def after_loss(
        self, ctx: Context, target: Combatant, blow: BlowT, amount: int, loss: damage.HpLoss
    ) -> None:
        """Apply the effects of damage besides the HP lost; `target` is its state before. `blow` is
        a `srd.damage.DamageInstance`, `amount` the HP lost.
        """

    def save_dc(self, combatant: Combatant | None, save: sheet.Save) -> int:
        """The DC of a save that somebody's attack or power asks for."""
        return save.dc

    def save_of(self, combatant: Combatant, name: str) -> sheet.Save | None:
        """The save that an attack or a power of somebody's asks for, by its name."""
        rows: list[sheet.Power | sheet.Attack] = [
            *self.powers_of(combatant),
            *self.attacks_of(combatant),
        ]
        return next((row.save for row in rows if row.name == name and row.save is not None), None)

    def pending_save(self, state: Encounter, owed: Effect) -> sheet.Save | None:
        """Return a save that is owed; None if its cause is gone."""
        if owed.because:
            return msgspec.json.decode(owed.because, type=self.save_type)
        source = state.find_ever(owed.source)
        return self.save_of(source, owed.note) if source is not None else None

    def cause_of_save(self, by: Combatant | None, of: str, save: sheet.Save) -> str:
        """Return what keeps a save that no sheet has until it is made; empty for all others."""
        if by is not None and self.save_of(by, of) == save:
            return ""
        return msgspec.json.encode(replace(save, dc=self.save_dc(by, save))).decode()

    def name_of_save(self, state: Encounter, owed: Effect) -> str:
        """Name a save that is owed: "constitution save, DC 13"."""
        source, save = state.find_ever(owed.source), self.pending_save(state, owed)
        what = f"({save.skill}) check" if save and save.skill else "save"
        if save is None:
            return what
        return f"{sheet.ABILITY_NAMES[save.ability]} {what}, DC {self.save_dc(source, save)}"

    def share_of_save(self, target: Combatant, save: sheet.Save, outcome: str) -> int:
        """Return the number of halves of the damage that a save leaves: 2, 1 or 0."""
        return 2 if outcome == FAILURE else int(save.half)

    @abstractmethod
    def apply_inflicted(
        self,
        ctx: Context,
        by: str,
        target: str,
        of: str,
        inflicts: powers.Inflicts,
        save: sheet.Save | None = None,
    ) -> None:
        """Apply the effects that something `of` that name inflicts, after a failed `save` if
        any."""

    @abstractmethod
    def settle_save(
        self, ctx: Context, combatant_id: str, owed: Effect, die: DieInput, terms: RollModifiers
    ) -> str:
        """Make a save that is owed, and give how it came out."""

    def scene_damage_bonus(self, ctx: Context, kind: str, since: int) -> int:
        """Return the surroundings' bonus to damage of a type whose dice fell `since` an event."""
        return 0

    def says_nothing(self, words: RollModifiers) -> bool:
        """True if a command says nothing of a roll."""
        return words == type(words)()


AnyRules = SrdRules[Any, Any, Any]
"""The decisions of whichever game is played."""


class SrdRuleset(Ruleset, frozen=True, eq=False, kw_only=True):
    """A ruleset of a game on the SRD, with its own decisions."""

    srd: AnyRules


def rules_of(ctx: Context) -> AnyRules:
    """The decisions of the game that is played."""
    assert isinstance(ctx.ruleset, SrdRuleset)
    return ctx.ruleset.srd
