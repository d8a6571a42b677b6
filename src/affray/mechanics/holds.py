"""Holds: who holds whom, by which effect, and letting go.

A game names the effect on the held combatant; the source of that effect is the holder:

    GRAPPLE = Hold("grappled")
    GRAPPLE.held_by(state, "mira")    # the combatants whom Mira holds
    GRAPPLE.on(ghoul, "mira")         # the effects by which she holds the ghoul
    "release": DeclaredTechnique(GrappleArgs, GRAPPLE.release)

Each game has its own rules for beginning and escaping a hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct

from affray.core.engine.effects import remove_effect
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import Argument
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context
from affray.mechanics.actions import ActorSituation, PayFunction


class ReleaseArgs(Struct, frozen=True):
    """The arguments of `release`: the one to let go; None for all."""

    target: Annotated[
        Combatant | None, arguments.combatant_arg("the combatants to let go", usage="TARGET")
    ] = None


class Hold(Struct, frozen=True):
    """A way of holding: an effect on the held combatant, whose source is the holder.

    Attributes:
        effect: The name of that effect.
        end: Ends one: context, id of the held, id of the effect, why.
        one_by_one: True if the command must name one of several who are held.
    """

    effect: str
    end: Callable[[Context, str, str, str], object] = remove_effect
    one_by_one: bool = False

    def held_arg(self) -> Argument:
        """Declare the combatant to let go; a prompt asks for one who is held so."""
        optional = False if self.one_by_one else None
        field = Field("person", (self.effect,), optional=optional, legal=True)
        return arguments.combatant_arg("the combatants to let go", "TARGET", field)

    def on(self, held: Combatant, by: str = "") -> list[Effect]:
        """List the holds that somebody is in; with `by`, those of that holder alone."""
        return [effect for effect in held.all_named(self.effect) if by in ("", effect.source)]

    def held_by(self, state: Encounter, holder: str) -> list[Combatant]:
        """List the combatants that a holder has, by the holder's id."""
        return [each for each in state.combatants if each.effects and self.on(each, holder)]

    def why_nobody(self, now: ActorSituation) -> str:
        """Say "holds nobody"; empty for a combatant that holds somebody."""
        return "" if self.held_by(now.state, now.who.id) else "holds nobody"

    def only_held(self, state: Encounter, holder: Combatant) -> Combatant:
        """Return the only combatant held. Raises Refused for none, and for several."""
        held = self.held_by(state, holder.id)
        if not held:
            raise Refused(f"{holder.name} holds nobody")
        if len(held) > 1:
            names = [each.id for each in held]
            raise Refused(f"{holder.name} holds several: say which, {join_or(names)}", names)
        return held[0]

    def require_new(self, holder: Combatant, target: Combatant) -> None:
        """Raises Refused for a target that the holder has already: nobody holds somebody twice."""
        if self.on(target, holder.id):
            raise Refused(f"{holder.name} holds {target.name} already")

    def require(self, holder: Combatant, held: Combatant) -> list[Effect]:
        """List the holds of one combatant on another. Raises Refused for none."""
        holds = self.on(held, holder.id)
        if not holds:
            raise Refused(f"{holder.name} doesn't hold {held.name}")
        return holds

    def release(
        self, ctx: Context, args: ReleaseArgs, combatant: Combatant, pay: PayFunction
    ) -> None:
        """Let go of one combatant, or of everybody held, as a technique."""
        if args.target is not None:
            self.require(combatant, args.target)
            freed = [args.target]
        elif self.one_by_one:
            freed = [self.only_held(ctx.state, combatant)]
        else:
            freed = self.held_by(ctx.state, combatant.id)
        pay()
        for each in freed:
            for effect in self.on(each, combatant.id):
                self.end(ctx, each.id, effect.id, "let go")
        ctx.text = f"{combatant.name} lets go of {join_names(freed)}"
