"""Initiative and surprise. Rules file, 1.6 and R2; the seed has neither."""

from __future__ import annotations

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import initiative
from affray.rulekit.creatures import owner_here, owners_totals
from affray.rulekit.placing import renew
from affray.rulesets.level_up import totals, world

SURPRISED = "surprised"


def roll(ctx: Context, ids: list[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """A d20 and `init` for each; who is under somebody's control has their owner's total."""
    if world.WORLD in ids and world.here(ctx.state) is not None:
        others = roll(ctx, [who for who in ids if who != world.WORLD], lying)
        return others | world.initiative(ctx, others.values())
    owned = [who for who in ids if owner_here(ctx.state, ctx.state[who])]
    people = (ctx.state[who] for who in ids if who not in owned)
    found = {who.id: initiative.roll(ctx, totals.here(ctx, who), lying) for who in people}
    return found | owners_totals(ctx.state, owned, found)


def _surprise(ctx: Context, words: Words) -> None:
    people = words.combatants("who is surprised")
    for who in people:
        slot = ctx.state.slot(who.id)
        if ctx.state.phase == "combat" and slot is not None and slot.turns and slot.round:
            raise Refused(f"{who.name} has had a turn already, and is no longer surprised")
    for who in people:
        renew(ctx, who.id, SURPRISED, timing.at_turn(ctx.state, who.id, "end"))
    ctx.text = f"{they(people, 'is', 'are')} surprised"


VERBS = (
    Verb(
        "surprise",
        "surprise NAME[,NAME]",
        "surprises somebody as the fight begins: nothing to do in the first turn",
        _surprise,
    ),
)
