"""How an effect is laid on somebody: until when, from whom, hanging on what; and by hand.

A game says how its commands tell how long something lasts (`Lasting`), beside what all games have:

    LASTING = Lasting({"saved": Duration("save")}, default=until_its_turn_ends)
    placing = read_placing(LASTING, ctx, words)       # `for 2 turns from odo`
    until = until_for(LASTING, ctx, "mira", placing)  # the end of Mira's turn after the next
    begin(ctx, "mira", "burning", until, placing, dice="1d10", type="fire")

Of `inflict` it declares how what it has is read, and until when that lasts:

    class Inflict(placing.Inflict, frozen=True):
        what: Annotated[What, what_said(_read_what, "CONDITION[,CONDITION] | ongoing AMOUNT")]
        placing: Annotated[Placing, PLACED] = Placing()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from affray.core.heart import own_effects, timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, gain, rule_of
from affray.core.heart.events import Noted
from affray.core.heart.own_effects import OwnEffect
from affray.core.heart.state import Combatant, Duration, Edge, Effect
from affray.core.language import arguments
from affray.core.language.clauses import names, read_until, refuse_dead, they
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed, one_of
from affray.core.language.words import Words
from affray.rulekit import rolls


def turns(count: int, edge: Edge = "end") -> Duration:
    """The edge of the n-th next turn of whoever it turns out to be (`until_for`)."""
    return Duration("turn", "", edge, count)


class Placing(Struct, frozen=True):
    """How an effect is laid, as far as it is said.

    until      when it ends; None where nothing is said. Turns of nobody are those of its bearer
    of_source  whether they are those of whoever it comes from instead, else of who acts
    source     id of whom it comes from
    hangs      "combatant/effect id" on which it hangs
    says       when that ends, in words: "Mira stops concentrating"
    """

    until: Duration | None = None
    of_source: bool = False
    source: str = ""
    hangs: str = ""
    says: str = ""

    @property
    def is_timed(self) -> bool:
        """Whether it is said when it ends: by itself, or with something else."""
        return self.until is not None or bool(self.hangs)


_UNSAID = Placing()
EDGES = {
    f"{whose}-{edge}": Placing(turns(1, edge), of_source=whose == "user")
    for whose in ("target", "user")
    for edge in get_args(Edge)
}
"""The edges of the next turn of its bearer, and of whoever it comes from: `user-end`."""
Clause = Callable[["Context", Words, Placing], Placing]
"""Reads what stands behind a word; gives what was said before with that added."""


class Lasting(Struct, frozen=True):
    """How a game's commands say how long an effect lasts, beside `for`, `until` and `from`.

    ends      what may stand behind `until`, beside the usual: word -> the end
    alone     words that say it by themselves: `user-end`, `save-ends`
    clauses   words with something behind them: `while NAME`. One that says when it ends begins by
              `refuse_two`
    default   when an effect ends on somebody, by their id and its name, where neither the command
              says it nor its row; without one, when it is removed
    """

    ends: Mapping[str, Duration] = {}
    alone: Mapping[str, Placing] = field(default_factory=lambda: EDGES)
    clauses: Mapping[str, Clause] = {}
    default: Callable[[Context, str, str], Duration] = lambda ctx, who, name: Duration()

    @property
    def words(self) -> tuple[str, ...]:
        """The words that begin any of it."""
        return (*self.alone, "for", "until", "from", *self.clauses)


# -- how it is said --------------------------------------------------------------------------------


def read_placing(
    game: Lasting,
    ctx: Context,
    words: Words,
    placing: Placing = _UNSAID,
    also: Callable[[], bool] = lambda: False,
) -> Placing:
    """Read `for N turns`, `until ...`, `from NAME` and the game's own words, to add to `placing`.
    `also` reads what else may stand between them, and tells whether there was any. Raises Refused
    for a second duration."""
    while True:
        if also():
            continue
        word = words.take(*game.words)
        if not word:
            return placing
        placing = _with_clause(game, ctx, words, word, placing)


def placing_said(game: Lasting, usage: str) -> Argument:
    """The same as an argument of a declared command, in a field called `placing`:

    placing: Annotated[Placing, placing_said(LASTING, "for N turns | until ...")] = Placing()
    """

    def reads(reading: Reading) -> Placing:
        before = reading.said.get("placing", _UNSAID)
        return _with_clause(game, reading.ctx, reading.words, reading.word, before)

    asks = "until:start|end|removed"  # the rest can be typed
    return Argument(reads, usage, keywords=game.words, joins=lambda earlier, now: now, asks=asks)


def _with_clause(game: Lasting, ctx: Context, words: Words, word: str, placing: Placing) -> Placing:
    """What was said before, and what one of the words says with all that stands behind it."""
    if word in game.clauses:
        return game.clauses[word](ctx, words, placing)
    if word == "from":
        return replace(placing, source=words.combatant("whom it comes from").id)
    refuse_two(words, placing)
    if word in game.alone:
        said = game.alone[word]
        return replace(placing, until=said.until, of_source=said.of_source)
    if word == "until":
        return replace(placing, until=read_until(ctx, words, game.ends))
    count = words.number("how many turns", 1, 99)
    words.take("turns", "turn", "rounds", "round")
    return replace(placing, until=turns(count))


def read_end(game: Lasting, ctx: Context, words: Words) -> Placing:
    """When it ends, where that is said next: `save-ends`, `for 2 turns`, `until rest`."""
    word = words.take(*game.alone, "for", "until")
    return _with_clause(game, ctx, words, word, _UNSAID) if word else _UNSAID


def refuse_two(words: Words, placing: Placing) -> None:
    """Raises Refused where it was said before when the effect ends."""
    if placing.until is not None:
        words.back()
        raise words.refuse("expected one duration, not two")


def until_for(
    game: Lasting,
    ctx: Context,
    who: str,
    placing: Placing,
    name: str = "",
    otherwise: Duration | None = None,
) -> Duration:
    """When an effect of that name ends on somebody: as it is said; with what it hangs on; as its
    row says; `otherwise`; or as the game has it.

    Raises Refused where it ends with somebody's turn, and nobody says whose.
    """
    until = placing.until
    if until is not None and until.ends == "turn" and not until.who:
        whose = (placing.source or ctx.by or ctx.state.turn) if placing.of_source else who
        if not whose:
            raise Refused(f"it is nobody's turn: say whose with `until {until.edge} of NAME`")
        return timing.at_turn(ctx.state, whose, until.edge, until.count)
    if until is not None:
        return until
    says = placing.says or rule_of(ctx.tables, name).until
    return Duration(says=says) if says else otherwise or game.default(ctx, who, name)


# -- how it is laid --------------------------------------------------------------------------------


def begin(
    ctx: Context,
    who: str,
    name: str,
    until: Duration | None = None,
    placing: Placing = _UNSAID,
    **more: Any,
) -> Effect:
    """Begin an effect of the tables on somebody, of the kind that its row has.

    until    when it ends; without it, when its row says
    placing  from whom it comes, and what it hangs on
    more     other fields of an effect: `note="in the dark"`
    """
    rule = rule_of(ctx.tables, name)
    until = until or Duration(says=rule.until)
    said = {"id": name, "kind": rule.kind, "source": placing.source, "hangs": placing.hangs} | more
    if rule.concerns:
        said["against" if rule.concerns == "source" else "spares"] = said["source"]
    return gain(ctx, who, Effect(name=name, until=until, **said))


def renew(
    ctx: Context,
    who: str,
    name: str,
    until: Duration | None = None,
    by_source: bool = False,
    **more: Any,
) -> Effect:
    """Begin an effect in place of those of its name; `by_source`: of those from the same source."""
    for effect in ctx.state[who].effects:
        if effect.name == name and (not by_source or effect.source == more.get("source", "")):
            end(ctx, who, effect.id, "renewed")
    return begin(ctx, who, name, until, **more)


class Affliction(Struct, frozen=True):
    """What is laid: a condition, or so much of something, `dice` in place of an `amount`."""

    name: str
    amount: int = 0
    type: str = ""
    dice: str = ""

    def __str__(self) -> str:
        """In words: "dazed", "burning 1d10 fire", "resistance cold"."""
        much = self.dice or str(self.amount or "")
        return " ".join(filter(None, (self.name, much, self.type)))


def lay(
    game: Lasting, ctx: Context, who: str, what: Affliction, placing: Placing, note: str = ""
) -> Effect:
    """Lay one more instance of something on somebody, with the end that is said or its own."""
    until = until_for(game, ctx, who, placing, what.name)
    effect_id = f"{what.name}-{what.type}" if what.type else what.name
    much = {"amount": what.amount, "type": what.type, "dice": what.dice}
    return begin(ctx, who, what.name, until, placing, id=effect_id, note=note, **much)


def amount_of(ctx: Context, who: str, effect: Effect) -> int:
    """How much an effect is worth now: its amount, or its dice as they fall this time."""
    if not effect.dice:
        return effect.amount
    return max(0, rolls.throw_dice(ctx, who, effect.dice, effect.name))


# -- what is said ----------------------------------------------------------------------------------


def read_takers(words: Words) -> list[Combatant]:
    """Read on whom an effect is laid. Raises Refused when some of them are dead."""
    people = words.combatants("who gets it")
    refuse_dead(people)
    return people


def read_conditions(
    words: Words,
    known: Sequence[str],
    alike: Mapping[str, str] = {},
    beside: Sequence[str] = (),
) -> list[str]:
    """Read one or several of those that are known, with commas between: `dazed,slowed`; each once.
    `alike` are other words for them; `beside` is what else could have stood here. Raises Refused,
    with what is close, for any other."""
    row = [*known, *beside]
    said = [part.casefold() for part in words.next("a condition", row).split(",") if part]
    found = list(dict.fromkeys(alike.get(name, name) for name in said))
    wrong = next((name for name in found if name not in known), "")
    if wrong or not found:
        words.back()
        if wrong in beside:
            raise words.refuse(
                f"{wrong} stands alone, with what belongs to it: `inflict NAME {wrong} ...`", row
            )
        hint = one_of(wrong, row, own_effects.instead_of(words))
        raise words.refuse(f"{wrong!r} is no condition: {hint}", row)
    return found


def lay_own(
    game: Lasting,
    ctx: Context,
    words: Words,
    people: Sequence[Combatant],
    source: str = "",
    is_bestowed: bool = False,
) -> None:
    """Read an effect of the GM's own, which the rules know nothing of, and lay it on each, as from
    `source` unless the command says from whom."""
    own = OwnEffect(ctx, words)
    placing = read_placing(game, ctx, words, also=lambda: own.read_more(words))
    own.refuse_unknown(words)
    source = placing.source or source
    for who in people:
        until = until_for(game, ctx, who.id, placing)
        own.lay(ctx, who, until, placing.is_timed, source, placing.hangs, is_bestowed)
    ctx.text = f"{names(people)}: {own.name}"


# -- inflict ---------------------------------------------------------------------------------------

What = list[Affliction] | OwnEffect
"""What is inflicted: conditions and the like, or an effect of the GM's own."""


def what_said(read: Callable[[Reading], list[Affliction]], usage: str) -> Argument:
    """What is inflicted, as an argument: what the game reads by `read`, or an effect of the GM's
    own."""

    def reads(reading: Reading) -> What:
        words = reading.words
        if not own_effects.stands_next(reading.ctx.tables, words):
            return read(reading)
        own = OwnEffect(reading.ctx, words)
        while own.read_more(words):
            pass
        return own

    return Argument(reads, f"{usage} | {own_effects.USAGE}", asks="effect")


class Inflict(Struct, frozen=True):
    """What `inflict` says; a game declares `what` and `placing`."""

    people: Annotated[list[Combatant], arguments.people("who gets it", fits=refuse_dead)]
    what: What
    placing: Placing = Placing()


def inflict(
    game: Lasting, ctx: Context, said: Inflict, lay: Callable[[str, Affliction], object]
) -> None:
    """Lay it on all who can have it: `lay` gives something false for who can't, and notes why.
    Raises Refused, with all reasons, where nobody can."""
    if isinstance(said.what, OwnEffect):
        source = said.placing.source or ctx.by
        for who in said.people:
            until = until_for(game, ctx, who.id, said.placing)
            said.what.lay(ctx, who, until, said.placing.is_timed, source)
        ctx.text = f"{names(said.people)}: {said.what.name}"
        return
    told: dict[str, list[str]] = {}
    for one in said.what:
        takers = [who for who in said.people if lay(who.id, one)]
        if takers:
            so_much = one.amount or one.dice or one.type
            come_by = f"{names(takers)}:" if so_much else they(takers, "is", "are")
            told.setdefault(come_by, []).append(str(one))
    if not told:
        raise Refused("; ".join(event.text for event in ctx.events if isinstance(event, Noted)))
    ctx.text = "; ".join(f"{come_by} {listed(laid, 'and')}" for come_by, laid in told.items())
