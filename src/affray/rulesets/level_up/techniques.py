"""All techniques of the tables: those with a function of their own, and those all in their rows.

Seed 002: Actions in Combat; rules file, 3 and 18.
"""

from __future__ import annotations

from functools import partial

from affray.core.heart.decide import Context
from affray.core.language.words import Words
from affray.core.rules.ruleset import Doing, Reads, Verb
from affray.core.rules.tables import Tables
from affray.rulekit import doing
from affray.rulekit.doing import Declared, Techniques
from affray.rulesets.level_up import (
    actions,
    attacks,
    companions,
    conditions,
    creatures,
    economy,
    fatigue,
    happenings,
    powers,
    reactions,
    sprinting,
    totals,
)
from affray.rulesets.level_up.attacks import Assault

ACTIONS: dict[str, Declared] = {
    "attack": Declared(Assault, attacks.take_attack),
    "off-hand": Declared(Assault, attacks.take_off_hand),
    "cast": Declared(actions.Cast, actions.cast),
    "help": Declared(actions.Help, actions.help_ally),
    "hide": Declared(actions.Hide, actions.hide),
    "search": Declared(actions.Search, actions.search),
    "sprint": Declared(sprinting.Sprint, sprinting.sprint),
    "tumble": Declared(actions.Tumble, actions.tumble),
    "maneuver": Declared(actions.CombatManeuver, actions.maneuver),
    "use": Declared(actions.Use, actions.use),
    "first-aid": Declared(actions.FirstAid, actions.first_aid),
    "escape": Declared(actions.Escape, actions.escape),
    "release": Declared(actions.Release, actions.release),
    "move": Declared(actions.Move, actions.move),
    "command": Declared(companions.Commanded, companions.command),
    "power": Declared(powers.Using, powers.use),
}
REACTIONS: dict[str, Declared] = {
    "opportunity-attack": Declared(Assault, attacks.opportunity),
    "fall-back": Declared(reactions.FallBack, reactions.fall_back),
    "block": Declared(reactions.Block, reactions.block),
    "reflect": Declared(happenings.Reflect, happenings.reflect),
}


# -- rows ------------------------------------------------------------------------------------------


def _mark(ctx: Context, who: str, track: str, amount: int, what: str) -> None:
    fatigue.tire(ctx, who, f"for {what}", **{track: amount})


_LAY = doing.lay_by(conditions.LASTING, conditions.lay)
TECHNIQUES = Techniques(economy.ECONOMY, _LAY, ACTIONS, REACTIONS, mark=_mark)


# -- the commands ----------------------------------------------------------------------------------


def _react(ctx: Context, words: Words) -> None:
    if words.upcoming.quoted:  # what it does is said by other commands (rules file, 3.20)
        who, what = ctx.actor(), words.rest().strip()
        economy.pay_reaction(ctx, who, what)
        ctx.text = f"{who.name} reacts: {what}"
        return
    name = words.choice("a reaction, or what it is in quotes", doing.reactions(ctx.tables))
    if name == "block" and not ctx.by:
        struck = reactions.could_block(ctx.state)
        ctx.by = struck[0].id if len(struck) == 1 else ""
    doing.do(TECHNIQUES, name, ctx, words)


def technique_verbs(tables: Tables) -> tuple[Verb, ...]:
    """A command for each technique of the tables but `ready`, and `react` for the reactions."""
    usage = f'{doing.reaction_usages(TECHNIQUES)} | react "WHAT" [by NAME]'
    react = Verb("react", usage, "takes a reaction", _react, True)
    names = (name for name in doing.actions(tables) if name != economy.READY)
    return (*(doing.verb(TECHNIQUES, tables, name) for name in names), react)


# -- what rows may say, those of a campaign too ----------------------------------------------------

_OF_AN_ABILITY = tuple(f"{a}-{kind}" for a in creatures.ABILITIES for kind in ("check", "save"))
_ROLLS = (*totals.ROLLS, *_OF_AN_ABILITY)
_WHEN = ("always", "near", "far", "seen", "source")
_IN_ROWS = ("dash", "disengage", "dodge", "press-the-attack", "interact", "stand", "ready")

READS = Reads(
    powers="power",
    effects={
        "modifiers": tuple(name for name in totals.NUMBERS.rows if name != "massive"),
        "speed": ("half", "double", "none"),
        "at_most": ("speed",),
        "halves": ("speed",),
        "advantage": _ROLLS,
        "disadvantage": _ROLLS,
        "suffers.advantage": _WHEN,
        "suffers.disadvantage": _WHEN,
        "forbids": ("act", "react", "move", "see", "be-seen", *ACTIONS, *REACTIONS, *_IN_ROWS),
        "escape": None,
    },
    cost=("action", "bonus_action", "reaction", "interaction", "exertion"),
    marks=("fatigue", "strife"),
    repeat=("once", "any", "fight"),
    rests=fatigue.RESTS,
    saves=creatures.ABILITIES,
)
DOING = Doing(
    verb=partial(doing.verb, TECHNIQUES), lays=conditions.conditions_of, ends=("rest", "fight")
)
