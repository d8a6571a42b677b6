"""What the situation adds up to, forwards, and charges that are held.

A forward is a bonus that the next fitting roll uses up.

Seed 004: Conditions & Statuses; Fatigue & Exhaustion; Armor Class; Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.events import Altered, Changed
from affray.core.heart.state import Combatant, Effect
from affray.core.language.refusal import Refused, close_to, listed
from affray.core.language.words import Words
from affray.core.rules.tables import OWN_KINDS, Tables
from affray.rulekit import leaning, numbers
from affray.rulekit.numbers import Number, Numbers, Part, Situation
from affray.rulesets.monsters_and_magic import gear

FORWARD = "forward"


MOST_MARKS = 30
"""The marks of exhaustion from which on nothing gets worse: a log edited by hand may have any."""


def exhaustion_penalty(tables: Tables, combatant: Combatant) -> int:
    """The penalty to all checks: −1 a mark for monsters; 0, −1, −1, −2, −3 ... for characters,
    beyond the table each the sum of the two before it."""
    marks = combatant.track("exhaustion")
    if combatant.kind != "pc":
        return -marks
    marks = min(max(0, marks), MOST_MARKS)
    row: list[int] = [0, *tables.economy["pc_exhaustion_penalty"]]
    while len(row) <= marks:
        row.append(row[-1] + row[-2])
    return row[marks]


def _own_checks(here: Situation, total: str) -> list[Part]:
    penalty = exhaustion_penalty(here.tables, here.who)
    tired = [Part(penalty, "exhaustion", of="exhaustion")] if penalty else []
    return [*tired, *gear.unproficient_parts(here)]


def _own_speed(here: Situation, total: str) -> list[Part]:
    own = here.who.number("speed", int(here.tables.economy["speed"]))
    return [Part(own, "own speed", of="speed")]


WAYS = ("fly", "climb", "swim", "burrow")
"""Kinds of speed beside that on the ground (seed 004: Movement)."""


def has_way(who: Combatant, way: str) -> bool:
    """Whether somebody has a speed of that kind, and it is said how many feet."""
    feet = who.stats.get(way)
    return isinstance(feet, int) and not isinstance(feet, bool)


def _own_way(here: Situation, total: str) -> list[Part]:
    return [Part(here.who.number(total), f"own {total} speed", of=total)]


def _load(here: Situation, total: str) -> list[Part]:
    return gear.load_parts(here.tables, here.who)


def _capacity(here: Situation, total: str) -> list[Part]:
    return gear.capacity_parts(here.tables, here.who)


_WAY = Number(_own_way, ("speed",), bent_by="speed", least=0, whose=has_way)
NUMBERS = Numbers(
    {
        "check": Number(_own_checks),
        "attack": Number(_own_checks, ("check", "attack")),  # an attack is a check too
        "ac": Number(gear.armor_parts, least=0),
        "speed": Number(_own_speed, bent_by="speed", least=0),
        **dict.fromkeys(WAYS, _WAY),
        "load": Number(_load, whose=gear.keeps_gear),
        "capacity": Number(_capacity, least=0, whose=gear.keeps_gear),
    },
    once=("condition", "status", "stance", "opening", "place", *OWN_KINDS),
    apart=(FORWARD,),
    spent=("opening",),
)
"""The modifiers to checks and attacks; AC and speed whole."""
here = partial(numbers.here, NUMBERS)


def use_up(
    ctx: Context, who: str, kind: str, used: Sequence[Effect] = (), tags: Sequence[str] = ()
) -> None:
    """End what a check, an attack or a number of somebody's has used up, and forwards it used."""
    for effect in used:
        end(ctx, who, effect.id, "used")
    kinds = ("check", "attack") if kind == "attack" else (kind,)
    leaning.use_up(ctx, NUMBERS, who, kinds, [*scopes_of(tags)])


def can_dodge(ctx: Context, who: Combatant) -> bool:
    """Whether somebody can act and has a speed above 0, which Dodge needs to work."""
    situation = here(ctx, who)
    return "stunned" not in situation.force and numbers.value(situation, "speed") > 0


# -- forwards --------------------------------------------------------------------------------------


ROLLS = ("attack", "save", "initiative", "death")
ABILITIES = ("power", "cunning", "focus", "luck")
EVERY = "check"
"""The scope of what is for every check."""
DAMAGE, SPEED = "damage", "speed"
NO_CHECKS = ("ac", SPEED, DAMAGE)
"""What a bonus may be to beside checks: damage where affray rolls it."""
SCOPES = (EVERY, *ROLLS, *ABILITIES, *NO_CHECKS)
PREPARED, PREPARED_BONUS = "prepared", 2
SHORTEST_SLIP = 3
"""Words of fewer letters look like too many others."""


def scope_of(words: str) -> str:
    """The rolls that words speak of: `saving throws with cunning` is "cunning save".

    That is a kind of roll, an ability, or both; empty where the words name neither. The damage of
    an attack is "damage".
    """
    said = [word.strip("s,.") for word in words.casefold().replace("saving", "save").split()]
    rolls = [kind for word in said for kind in (*ROLLS, *NO_CHECKS) if word == kind.strip("s")]
    if DAMAGE in rolls:
        return DAMAGE
    abilities = [name for word in said for name in ABILITIES if word == name]
    every = [EVERY] if EVERY in said and not (rolls or abilities) else []
    return " ".join([*abilities[:1], *rolls[:1], *every])


def refuse_slip_of_scope(note: str) -> None:
    """Raises Refused for words of which none names a roll, and one is a slip of one that does:
    taken as they stand, they would be for any check."""
    if scope_of(note):
        return
    for word in note.split():
        near = close_to(word, (*SCOPES, *_ALIKE), 0.75) if len(word) >= SHORTEST_SLIP else []
        if near:
            raise Refused(f"{word!r} names no roll; did you mean {listed(near)}?")


def read_scope(words: Words) -> str:
    """Read which rolls it is for: `attack`, `save cunning`, `"saving throws with cunning"`."""
    if words.upcoming is not None and words.upcoming.quoted and " " in words.peek():
        said = str(words.next("what it changes"))
        scope = scope_of(said)
        if not scope:
            words.back()
            raise words.refuse(f"expected what it changes, found {said!r}", SCOPES)
        return scope
    while _spoken(words, "to", "all", "the", "your"):
        pass
    said = _spoken(words, *_ALIKE) or words.choice("what it changes", SCOPES)
    while more := words.take(*SCOPES) or _spoken(words, *_ALIKE, *_BETWEEN):
        said += f" {more}"
        if words.peek() == "with" and words.peek(1) in ABILITIES:
            words.next("with which ability")
    return scope_of(said)


_ALIKE = ("checks", "attacks", "saves", "saving")
"""Other words for scopes."""
_BETWEEN = ("roll", "rolls", "throw", "throws")
"""What may stand between and behind them: `saving throws with cunning`."""


def _spoken(words: Words, *known: str) -> str:
    """The next word if it is one of these, which are understood and not offered."""
    return "" if words.done else words.take(*known)


def scopes_of(tags: Sequence[str]) -> set[str]:
    """The scopes that a roll with these tags falls under: `save`, `cunning`, "cunning save"."""
    abilities = [tag for tag in tags if tag in ABILITIES]
    return {*tags, *(f"{ability} {tag}" for ability in abilities for tag in tags)}


def fitting(roller: Combatant, tags: Sequence[str], prepared: bool = False) -> list[Effect]:
    """The forwards that a roll with these tags uses up; `prepared` too, when it was called on."""
    scopes = scopes_of(tags)
    found = [e for e in roller.effects if e.kind == "forward" and scopes & e.modifiers.keys()]
    status = roller.named(PREPARED) if prepared else None
    return [*found, *([status] if status else [])]


def forward_part(used: Effect) -> Part:
    """What a forward, or being prepared, adds to the roll that uses it up."""
    if used.name == PREPARED:
        return Part(PREPARED_BONUS, PREPARED)
    note = f" ({used.note})" if used.note else ""
    return Part(sum(used.modifiers.values()), f"{FORWARD}{note}")


# -- charges ---------------------------------------------------------------------------------------


def spend_charges(ctx: Context, who: Combatant, name: str, amount: int) -> None:
    """Spend charges, those that end first before the others."""
    have = who.track(name)
    if have < amount:
        raise Refused(f"{who.name} holds {have} {name}, not {amount}")
    ctx.emit(Changed(who.id, name, -amount))
    timed = [e for e in who.effects if e.kind == "hold" and e.type == name]
    for held in sorted(timed, key=lambda e: timing.place(ctx.state, e.until)):
        spent = min(amount, held.amount)
        amount -= spent
        if spent:
            left = replace(held, amount=held.amount - spent)
            ctx.emit(Altered(who.id, left, "spent"))
            if not left.amount:
                end(ctx, who.id, held.id, "spent")
