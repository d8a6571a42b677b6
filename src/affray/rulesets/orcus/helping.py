"""The actions for oneself and for others.

Seed 003: Help Attack, Help Defense, Rally, Total Defense, Treat Ally, Companions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart import timing
from affray.core.heart.events import Used
from affray.core.heart.state import Combatant
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.rulekit import rolls
from affray.rulekit.acts import Act, Pay, needs_another
from affray.rulekit.placing import begin
from affray.rulesets.orcus import (
    attacks,
    checks,
    companions,
    contests,
    dying,
    healing,
    saves,
)

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

TREATMENTS = {"first-aid": "treat_first_aid", "save": "treat_save", "wound": "treat_wound"}
"""The ways to treat an ally, and where the tables have the DC of the Heal check for each."""


def help_attack(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Help Attack: an ally's next attack against one enemy."""
    _help(ctx, words, who, pay, attacks.HELP_ATTACK, "to attack")


def help_defense(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Help Defense: an ally's defences against one enemy's next attack."""
    _help(ctx, words, who, pay, attacks.HELP_DEFENSE, "to hold off")


def _help(ctx: Context, words: Words, who: Combatant, pay: Pay, name: str, how: str) -> None:
    ally = words.combatant("the ally")
    words.take("against")
    enemy = words.combatant("the enemy")
    needs_another(who, ally, "help")
    needs_another(ally, enemy, "be helped against")
    if enemy.id == who.id:
        raise Refused(f"{who.name} can't help {ally.name} against themself")
    pay()
    until = companions.next_turn(ctx.state, who.id, "end")
    note = f"against {enemy.name}"
    begin(ctx, ally.id, name, until, source=who.id, because=enemy.id, note=note)
    ctx.text = f"{who.name} helps {ally.name} {how} {enemy.name}"


def rally(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Rally: a recovery, and +2 to all defences; a second recovery for a companion."""
    companion = companions.read_companion(words, who) if words.take("with") else None
    pay()
    healing.spend_recovery(ctx, who.id, "rallies")
    if companion is not None:
        healing.spend_recovery(ctx, companion.id, f"{who.name} rallies")
    _guard(ctx, who.id, "rallying")
    ctx.text = f"{who.name} rallies{f' with {companion.name}' if companion else ''}"


def total_defense(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Total Defense: +2 to all defences until the start of one's next turn."""
    pay()
    _guard(ctx, who.id, "total defense")
    ctx.text = f"{who.name} defends with all they have"


def _guard(ctx: Context, who: str, by: str) -> None:
    """Untyped, so that rallying and total defence add up."""
    until = companions.next_turn(ctx.state, who, "start")
    begin(ctx, who, "guarded", until, source=who, because=by)


def treat_ally(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Treat Ally: a Heal check for first aid, a save, or a wound."""
    ally = words.combatant("the ally")
    how = words.choice("how to treat them", TREATMENTS)
    die = rolls.read_die(ctx, words, checks.OUTCOMES)
    later = bool(words.take("later")) if how == "save" else False
    terms = contests.read_terms(words)
    later = later or (how == "save" and bool(words.take("later")))
    needs_another(who, ally, "treat")
    _require_treatable(ally, how)
    pay()
    dc = int(ctx.tables.economy[TREATMENTS[how]]) if terms.dc is None else terms.dc
    outcome = contests.contest(ctx, who, "heal", dc, die, terms.plus, ally.id)
    if outcome == "miss":
        ctx.text = f"{who.name} treats {ally.name} ({how}) in vain"
        return
    done = _treated(ctx, who, ally, how, later)
    ctx.text = f"{who.name} treats {ally.name}: {done}"


def _require_treatable(ally: Combatant, how: str) -> None:
    if how == "first-aid" and ally.life != "dying":
        raise Refused(f"{ally.name} is not dying, so there is nothing to stabilise")
    if how == "wound" and ally.kind != "pc":
        raise Refused(f"{ally.name} can't be treated for a wound: only player characters rally")
    if how == "wound" and ally.used("rally", "fight"):
        raise Refused(f"{ally.name} has rallied in this encounter already")


def _treated(ctx: Context, who: Combatant, ally: Combatant, how: str, later: bool) -> str:
    """What a successful check does, and in words."""
    if how == "first-aid":
        dying.stabilise(ctx, ally.id, f"first aid by {who.name}")
        return "stable"
    if how == "wound":
        healing.spend_recovery(ctx, ally.id, f"treated by {who.name}")
        if ctx.state.phase == "combat":
            ctx.emit(Used(ally.id, "rally", "fight"))
        return "a recovery, in place of their rally"
    if not later:
        return f"a saving throw right away, with `save {ally.id}`"
    _ease_a_save(ctx, who, ally)
    return f"+{ctx.tables.economy['treated']} on a save at the end of the next turn"


def _ease_a_save(ctx: Context, who: Combatant, ally: Combatant) -> None:
    """A bonus on one save at the end of the ally's next turn: `saves.make` adds it."""
    until = timing.at_turn(ctx.state, ally.id, "end")
    note = f"treated by {who.name}"
    amount = int(ctx.tables.economy["treated"])
    begin(ctx, ally.id, saves.TREATED, until, source=who.id, note=note, amount=amount)


HELPING: dict[str, Act] = {
    "total-defense": total_defense,
    "rally": rally,
    "treat-ally": treat_ally,
    "help-attack": help_attack,
    "help-defense": help_defense,
}
