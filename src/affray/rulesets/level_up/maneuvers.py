"""Combat maneuvers, and getting free of what holds somebody. Rules file, 3.17, 3.19.

Basic maneuvers are rows of the tables: how they come out is called (R15).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.state import Combatant, Effect
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed
from affray.core.rules.environments import happening
from affray.rulekit import rolls
from affray.rulekit.acts import Pay
from affray.rulekit.rolls import Die
from affray.rulesets.level_up import checks, economy
from affray.rulesets.level_up.actions import PAID_WITH
from affray.rulesets.level_up.checks import SUCCESS, Terms, Try


class CombatManeuver(Struct, frozen=True):
    """`maneuver NAME [action|bonus|reaction|none] [exertion N]`."""

    name: Annotated[str, arguments.phrase("the maneuver", "NAME")]
    takes: Annotated[str, arguments.one_of(*PAID_WITH)] = "action"
    exertion: Annotated[
        int, arguments.clause("exertion", arguments.number("the exertion", 0, 99))
    ] = 0


def maneuver(ctx: Context, said: CombatManeuver, who: Combatant, pay: Pay) -> None:
    """A combat maneuver, at its price; what it does is said by other commands (3.17)."""
    if said.exertion and "exertion" not in who.tracks:
        raise Refused(f"{who.name} has no exertion; `add` takes it: exertion N")
    pay(PAID_WITH[said.takes] | ({"exertion": said.exertion} if said.exertion else {}))
    ctx.text = f"{who.name} uses the maneuver {said.name}"


# -- getting free ----------------------------------------------------------------------------------


def _is_condition(reading: Reading) -> bool:
    words = reading.words
    if words.done:
        who = reading.ctx.actor()
        words.offered += [e.name for e in economy.escapable(reading.ctx.tables, who)]
    return not (reading.is_over or rolls.is_die(words, checks.OUTCOMES))


class Escape(Struct, frozen=True):
    """`escape [CONDITION] [OUTCOME] [dc N]`."""

    condition: Annotated[
        str,
        Argument(lambda r: r.words.next("the condition").casefold(), "CONDITION", _is_condition),
    ] = ""
    die: Annotated[Die | None, checks.OUTCOME] = None
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()
    dc: Annotated[int | None, rolls.DC] = None


def escape(ctx: Context, said: Escape, who: Combatant, pay: Pay) -> None:
    """Out of what an action ends; of a grapple it must be said how that came out (3.19)."""
    fits = [e for e in economy.escapable(ctx.tables, who) if said.condition in ("", e.name)]
    pay()
    names = list(dict.fromkeys(effect.name for effect in fits))
    if not names:
        raise Refused(f"{who.name} is not {said.condition}, or no action ends that")
    if len(names) > 1:
        raise Refused(f"{who.name} is {listed(names, 'and')}: say out of which")
    effect, came = fits[0], SUCCESS
    if happening(ctx.tables.environments, effect.because).escape != "none":
        came = _struggled(ctx, said, who, effect)
    elif said.die is not None:
        raise Refused(f"it takes the action and no roll to be no longer {effect.name}")
    if came == SUCCESS:
        for each in fits:
            end(ctx, who.id, each.id, "escaped")
    ctx.text = f"{who.name} {'is no longer' if came == SUCCESS else 'stays'} {effect.name}"


def _struggled(ctx: Context, said: Escape, who: Combatant, effect: Effect) -> str:
    """How it came out: as called, or the die with what is said of it against the DC.

    What is rolled to escape a grapple is not in the text, so no ability is added.
    """
    if said.die is None:
        raise Refused(f"say how it came out to be no longer {effect.name}: success or failure")
    dc = effect.amount if said.dc is None and effect.amount else said.dc
    if dc is None and not said.die.said:
        raise Refused("say the number to escape with a die: dc N")
    trial = Try(who.id, "", said.die, dc=dc, terms=said.terms)
    return checks.attempt(ctx, trial).outcome


class Release(Struct, frozen=True):
    """`release [TARGET]`."""

    target: Annotated[
        Combatant | None, arguments.person("who is let go", usage="TARGET", asks="person:grappled")
    ] = None


def release(ctx: Context, said: Release, who: Combatant, pay: Pay) -> None:
    """Let go of somebody grappled, or of all (12.4)."""
    held = economy.held_by(ctx.state, who.id)
    if said.target is not None and said.target not in held:
        raise Refused(f"{who.name} does not hold {said.target.name}")
    pay()
    freed = held if said.target is None else [said.target]
    for one in freed:
        for effect in one.effects:
            if effect.name == economy.GRAPPLED and effect.source == who.id:
                end(ctx, one.id, effect.id, "let go")
    ctx.text = f"{who.name} lets go of {names(freed)}"
