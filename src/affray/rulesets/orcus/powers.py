"""Powers: which somebody has, and what using one does.

Seed 003: Powers (Action Required), Keywords.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force
from affray.core.heart.events import Spent, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import names as names_of
from affray.core.language.declared import read
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused, close_to, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import powers, rolls
from affray.rulekit.placing import begin as lay
from affray.rulesets.orcus import (
    aftermath,
    assaults,
    attacks,
    blows,
    conditions,
    damage,
    economy,
    expending,
    fighting,
    healing,
    sheet,
    upkeep,
)
from affray.rulesets.orcus.assaults import Assault
from affray.rulesets.orcus.blows import Blows
from affray.rulesets.orcus.checks import NO_LANGUAGE
from affray.rulesets.orcus.durations import KEPT_UP
from affray.rulesets.orcus.sheet import IMMEDIATE, Attack, Power
from affray.rulesets.orcus.upkeep import Kept

PSI_FOCUS = "psi_focus"


def power_named(who: Combatant, name: str) -> Power | None:
    """The power of that name or its unique beginning, or None; `fire-burst` is Fire Burst."""
    wanted = hyphened(name)
    row = sheet.powers_of(who)
    same = [p for p in row if hyphened(p.name) == wanted]
    starts = [p for p in row if wanted and hyphened(p.name).startswith(wanted)]
    return same[0] if same else starts[0] if len(starts) == 1 else None


def read_named(words: Words, who: Combatant) -> Power | None:
    """Read one of somebody's powers, where its name stands next; it may be written apart."""
    if words.done:
        return None
    whole = words.take(*(hyphened(p.name) for p in sheet.powers_of(who)))
    power = power_named(who, whole or words.peek())
    if power is not None and not whole:
        words.next("a power")
    return power


def names(who: Combatant, immediate: bool = False) -> list[str]:
    """The names of its powers as a command has them; of the immediate ones only, if wanted."""
    row = [p for p in sheet.powers_of(who) if p.action in IMMEDIATE or not immediate]
    return [f'"{p.name}"' if " " in p.name else p.name for p in row]


def action_of(power: Power) -> str:
    """The kind of action that it takes: standard, move, swift, free or immediate."""
    return "immediate" if power.action in IMMEDIATE else power.action


def use(ctx: Context, words: Words, who: Combatant, power: Power, paid: bool = False) -> None:
    """Use a power: read its targets or a note, pay its action unless that is `paid`, and act.

    `augmented`, wherever it stands, expends the psi focus as well. One that is something that lasts
    begins it. Raises Refused when it is expended or barred, or its action can't be taken.
    """
    powers.refuse(who, power.name, expending.why_unusable(ctx.tables, ctx.state, who, power))
    augmented = words.take_anywhere("augmented")
    if augmented and "augmentable" not in power.tags:
        raise Refused(f"{power.name} can't be augmented: it has no tag `augmentable`")
    if augmented and not who.track(PSI_FOCUS):
        raise Refused(f"{who.name} has no psi focus to expend")
    kind = kept_kind(power)
    upkeep.refuse(ctx, who, kind)
    of_it = _read_kept(ctx, words, power) if kind else Kept()

    def pay() -> None:
        if not paid:
            _pay(ctx, who, power)
        if augmented:
            ctx.emit(Spent(who.id, PSI_FOCUS, 1, power.name))

    _act(ctx, words, who, power, pay)
    if kind:
        _begin(ctx, who, power, kind, of_it)
    _give_back(ctx, who, power)
    powers.tell(ctx, who, power.text)
    if augmented:
        ctx.text += ", augmented"


def _pay(ctx: Context, who: Combatant, power: Power) -> None:
    """Pay its action. What answers one's own fall to 0 HP is paid with the immediate action that is
    left, in one's own turn too."""
    if who.life == "up" or not expending.answers_its_fall(power):
        economy.pay_action(ctx, who.id, action_of(power), power.name)
    elif power.action in IMMEDIATE:
        powers.refuse(who, power.name, "" if who.track("immediate") else "immediate action used")
        ctx.emit(Spent(who.id, "immediate", 1, power.name))


def _give_back(ctx: Context, who: Combatant, power: Power) -> None:
    """The HP that a power gives its user: whoever answers its fall rises by them, or by what the
    GM heals next."""
    if who.life == "dead" and power.heals:
        damage.come_back(ctx, who.id, power.heals, power.name)
    elif power.heals:
        healing.heal(ctx, who.id, power.heals, power.name)
    elif who.life == "dead":
        ctx.emit(Used(who.id, power.name, damage.MAY_RISE))


# -- powers that last ------------------------------------------------------------------------------


def kept_kind(power: Power) -> str:
    """What kind of thing that is kept up a power is, by its tags; empty for none."""
    return next((kind for kind in KEPT_UP if kind in power.tags), "")


def begin(ctx: Context, who: Combatant, power: Power, said: Kept) -> None:
    """Use a power that is a stance, a form, an aura, a zone or a conjuration, and no attack.

    Raises Refused when it can't be used.
    """
    powers.refuse(who, power.name, expending.why_unusable(ctx.tables, ctx.state, who, power))
    upkeep.refuse(ctx, who, kept_kind(power))
    if power.attack is not None or power.brings is not None:
        raise Refused(f'{power.name} has targets: `power "{power.name}" TARGET ...` begins it')
    _pay(ctx, who, power)
    expending.expend(ctx, who.id, power)
    ctx.text = f"{who.name} uses {power.name}"
    _begin(ctx, who, power, kept_kind(power), said)
    powers.tell(ctx, who, power.text)


_LASTS = ("until", "maintain", "while", "for")


def _read_kept(ctx: Context, words: Words, power: Power) -> Kept:
    """What is said of how it is kept up, which stands behind all else."""
    row, at = words.words, words.at
    has_targets = power.attack is not None or power.brings is not None
    ends = [i for i in range(at, len(row)) if row[i].casefold() in _LASTS and not row[i].quoted]
    begins = min(ends, default=len(row)) if has_targets or words.upcoming.quoted else at
    if has_targets is False and _names_somebody(words):
        begins = at + 1
    said = Words(row[begins:], ctx.state, words.usage)
    del row[begins:]
    of_it = read(Kept, ctx, said)
    said.finish()
    return of_it


def _begin(ctx: Context, who: Combatant, power: Power, kind: str, said: Kept) -> None:
    before = upkeep.kept(ctx.state[who.id]).get(power.name.casefold())
    if before is not None:
        conditions.end_with_all(ctx, who.id, before.id, "begun anew")
    of_row = replace(said, upkeep=said.upkeep or power.maintain)
    upkeep.begin_kind(ctx, who.id, kind, power.name, of_row)
    ctx.text += f"; the {kind} begins"


# -- what using one does ---------------------------------------------------------------------------


def _act(ctx: Context, words: Words, who: Combatant, power: Power, pay: Callable[[], None]) -> None:
    if power.attack is None and (power.makes or "with" in words.words[words.at :]):
        if _names_somebody(words):
            _strike(ctx, words, who, power, pay)
            return
        if power.makes:
            raise words.refuse(f"expected whom {power.name} strikes")
    if power.brings is not None:
        _bring(ctx, words, who, power, power.brings, pay)
        return
    note = "" if power.attack is not None else _read_allies(ctx, words, who)
    if not note and (power.attack is not None or _names_somebody(words)):
        _attack(ctx, words, who, power, pay)
        return
    note = note or words.rest().strip()
    pay()
    expending.expend(ctx, who.id, power)
    ctx.text = f"{who.name} uses {power.name}{f': {note}' if note else ''}"


def _strike(
    ctx: Context, words: Words, who: Combatant, power: Power, pay: Callable[[], None]
) -> None:
    """A power that makes attacks of the sheet. Consistent ones that miss all are kept."""
    each = blows.apart(ctx, who, power, read(Blows, ctx, words))
    pay()
    outcomes = blows.land(ctx, who, power, each)
    if not power.consistent or any(outcome != "miss" for outcome in outcomes):
        expending.expend(ctx, who.id, power)
    if "crit" in outcomes:
        _gain_edges(ctx, who.id, power)


class _Brought(Struct, frozen=True):
    targets: Annotated[list[Combatant], arguments.people("whom it affects")]
    amount: Annotated[int | str | None, arguments.amount_or_dice()] = None


def _bring(
    ctx: Context,
    words: Words,
    who: Combatant,
    power: Power,
    row: Attack,
    pay: Callable[[], None],
) -> None:
    """A power that does something to its targets without a roll (seed 003: Power Effects)."""
    said = read(_Brought, ctx, words)
    reached = Assault(tuple(c.id for c in said.targets), [])
    deaf = _deaf_to_it(ctx, words, who, reached) if "psyche" in power.tags else {}
    targets = [c for c in said.targets if c.id not in deaf]
    for target in targets:
        if target.life == "dead":
            raise Refused(f"{target.name} is dead")
    pay()
    why = "".join(f"; {ctx.state.name(t)} {reason}" for t, reason in deaf.items())
    if not targets:
        ctx.text = f"{who.name} uses {power.name} in vain{why}"
        return
    amount = row.dice if said.amount is None else said.amount
    if isinstance(amount, str):
        amount = max(0, rolls.throw_dice(ctx, who.id, amount, "damage")) if amount else 0
    for target in targets:
        if amount:
            damage.deal(ctx, target.id, damage.Blow(amount, row.type, who.id, reach=row.reach))
        aftermath.afflict(ctx, who.id, target.id, row)
    expending.expend(ctx, who.id, power)
    ctx.text = f"{who.name} uses {power.name} on {names_of(targets)}{why}"


def _attack(
    ctx: Context, words: Words, who: Combatant, power: Power, pay: Callable[[], None]
) -> None:
    """An attack power: its targets as with an attack. Consistent ones that miss all are kept.

    So is a psyche power that reached nobody, and whom it doesn't reach is not attacked.
    """
    is_coup = bool(words.take(fighting.COUP_DE_GRACE))
    weapon = power.attack or Attack(power.name, 0)
    assault = assaults.made_with(who, read(Assault, ctx, words), weapon, power.tags)
    deaf_to_it = _deaf_to_it(ctx, words, who, assault) if "psyche" in power.tags else {}
    says_all = power.attack or assault.how.plus or all(die.said for die in assault.dice_fallen)
    if not says_all:
        raise Refused(
            f"{power.name} has no attack bonus on its sheet: say the outcome, `plus N`, or "
            "`with NAME` for an attack of the sheet that it makes"
        )
    if is_coup and power.action != "standard":
        raise Refused(f"{power.name} takes no standard action, so it is no coup de grace")
    if power.action == "standard":
        finish = fighting.must_finish if is_coup else fighting.finishing
        assault = finish(ctx, assault)
    pay()
    why = "".join(f"; {ctx.state.name(t)} {reason}" for t, reason in deaf_to_it.items())
    assault = assaults.without(assault, deaf_to_it)
    if not assault.targets:
        ctx.text = f"{who.name} uses {power.name} in vain{why}"
        return
    what = fighting.COUP_DE_GRACE if is_coup else power.name
    outcomes = attacks.attack(ctx, who, assault, what)
    if not power.consistent or any(outcome != "miss" for outcome in outcomes):
        expending.expend(ctx, who.id, power)
    if "crit" in outcomes:
        _gain_edges(ctx, who.id, power)
    ctx.text = f"{who.name} uses {power.name} on {assaults.said(ctx, assault, outcomes)}{why}"


def _deaf_to_it(ctx: Context, words: Words, who: Combatant, assault: Assault) -> dict[str, str]:
    """Whom of the targets a psyche power can't affect, with the reason (seed 003: Psyche)."""
    no_language = bool(words.take(NO_LANGUAGE))
    found = {}
    for target in (ctx.state[t] for t in assault.targets):
        if "deafened" in in_force(ctx.tables, ctx.state, target):
            found[target.id] = "is deafened"
        elif target.stats.get("mindless"):
            found[target.id] = "has no mind of its own"
        elif no_language or not sheet.share_a_language(who, target):
            found[target.id] = "doesn't understand"
    return found


def _gain_edges(ctx: Context, who: str, power: Power) -> None:
    """What a critical hit gives in place of damage, by the power's tags, until the encounter ends.

    Seed 003: Maneuver, Psyche, Tactical.
    """
    for tag in (tag for tag in power.tags if f"{tag}-edge" in ctx.tables.effects):
        lay(ctx, who, f"{tag}-edge", Duration("use"), source=who, type="power")


def _read_allies(ctx: Context, words: Words, who: Combatant) -> str:
    """Read whom a utility power is for: allies named alone; empty for what else stands there.

    An enemy named alone is no such thing: the outcome was forgotten.
    """
    if words.peek(1) or not _names_somebody(words):
        return ""
    people = words.combatants("whom it is for")
    if all(one.side == who.side for one in people):
        return listed([one.name for one in people], "and")
    words.back()
    return ""


def _names_somebody(words: Words) -> bool:
    """Whether targets stand next, which makes an attack of a power that has none on its sheet."""
    if words.done or words.upcoming.quoted:
        return False
    return words.peek() == fighting.COUP_DE_GRACE or words.is_people()


def read_power(words: Words, who: Combatant) -> Power:
    """Read the name of one of somebody's powers. Raises Refused with what is close."""
    row = names(who)
    if not row:
        raise Refused(f"{who.name} has no powers; `add` takes them: power NAME daily ...")
    power = read_named(words, who)
    if power is None:
        word = words.next("a power", row)
        words.back()
        near = close_to(word.casefold(), [p.strip('"').casefold() for p in row])
        hint = f"did you mean {listed(near)}?" if near else f"there are {listed(row, 'and')}"
        raise words.refuse(f"{who.name} has no power called {word!r}: {hint}", row)
    return power


def _power(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    use(ctx, words, who, read_power(words, who))


_USAGE = (
    "power NAME [augmented] [TARGET[,TARGET] OUTCOME [DAMAGE [TYPE]] ...] [with ATTACK[,ATTACK]] "
    "[no-language] [by NAME]"
)
_DOES = "uses a power, at its action's price and as often as its frequency allows"
VERBS: tuple[Verb, ...] = (Verb("power", _USAGE, _DOES, _power, True),)
