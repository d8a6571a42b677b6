"""Commands about the turn order: init, start, next, delay, return, swap, end, group, ungroup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine import durations, initiative, turn_order, turns
from affray.core.engine.effects import remove_effect
from affray.core.engine.events import Began, Ended, InitiativeSet, TurnEnded, UsesReset
from affray.core.engine.resets import reset_tracks
from affray.core.engine.state import Combatant, Encounter, Slot
from affray.core.formatting.media import number_aloud
from affray.core.late_pattern import late_pattern
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb, parse_faces
from affray.core.parser.declarations import Argument, NoArgs, ParseState, declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ANY_MORE, ASKED_ELSEWHERE, DUE, NAMES_NEXT, Field
from affray.core.parser.targets import is_taken
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import Command, Context

# -------------------------------------------------------------------------------------------------
# Groups: made, split, and their names as the targets of other commands.

_OWN_NUMBER = late_pattern(r" \d+$")
LONGEST = 40


def read_one_of_a_row(tokens: TokenStream, what: str) -> Combatant:
    """Read a combatant, or the name of a group, for its first member that can act."""
    group = _group_named(tokens)
    if not group:
        return tokens.combatant(what)
    tokens.next(what)
    first = turn_order.first_able(turn_order.group_members(tokens.state, group))
    assert first is not None  # a group that can be named has somebody in it
    return first


def one_of_a_row_arg(what: str, kind: str, *options: str, legal: bool = False) -> Argument:
    """Declare a combatant, or a group for its first member; a prompt asks for it by that field."""
    return Argument(
        lambda r: read_one_of_a_row(r.words, what),
        "NAME",
        field=Field(kind, options, optional=False, legal=legal),
    )


def _group_named(tokens: TokenStream) -> str:
    """The group that the next word names; empty for none or a combatant's name."""
    if tokens.done:
        tokens.offered.extend(turn_order.group_tokens(tokens.state))
    is_somebody = is_taken(tokens.state, tokens.upcoming)
    return "" if is_somebody else turn_order.group_named(tokens.state, tokens.upcoming)


def read_name(tokens: TokenStream, people: Collection[Combatant] = ()) -> str:
    """Read a group's name, one word or a text in quotes; empty at the end of the words.

    Raises Refused for a new name that means somebody but `people`, the group's future members.
    """
    if tokens.done:
        tokens.offered.extend(turn_order.group_tokens(tokens.state))
        return ""
    name = str(tokens.next("the group's name")).strip()
    if not name.isprintable() or not 0 < len(name) <= LONGEST or "," in name:
        tokens.back()
        raise tokens.refuse(f"expected a group's name of 1 to {LONGEST} characters, no comma")
    there = turn_order.group_named(tokens.state, name)
    if not there and is_taken(tokens.state, name, people):
        tokens.back()
        raise tokens.refuse(f"{name!r} already means others: choose another name for the group")
    return there or name


def free_name(state: Encounter, name: str, people: Collection[Combatant] = ()) -> str:
    """Return a free name for a new group of `people`: `Crockling`, or else `Crockling B`."""
    letters = (f"{name} {letter}" for letter in "BCDEFGHIJKLMNOPQRSTUVWXYZ")
    more = (f"{name} Z{number}" for number in range(2, len(state.slots) + 2))
    return next(
        each
        for each in chain([name], letters, more)
        if not turn_order.group_named(state, each) and not is_taken(state, each, people)
    )


def put_together(ctx: Context, people: Sequence[str], name: str) -> None:
    """Make people members of a group, at its place and initiative, and take them out of others.

    A new group goes where its first member is. The name of a group whose members have all left the
    fight may be used again.
    """
    old = name if name in turn_order.groups_of(ctx.state) else ""
    slots = [replace(s, group="") if s.group == name != old else s for s in ctx.state.slots]
    of = {slot.who: slot for slot in slots}
    there = [slot for slot in slots if slot.group == name] or [of[people[0]]]
    joining = [
        combatant_id
        for combatant_id in people
        if combatant_id != there[-1].who and of[combatant_id].group != name
    ]
    stay = [slot for slot in slots if slot.who not in joining]
    place = stay.index(there[-1])
    new = [
        _slot_in_group(of[combatant_id], there[0], name)
        for combatant_id in (there[-1].who, *joining)
    ]
    _emit_order(ctx, [*stay[:place], *new, *stay[place + 1 :]])


def _slot_in_group(slot: Slot, first: Slot, group: str) -> Slot:
    """Put a slot into a group, at the initiative of its first member.

    A newcomer without initiative waits for the next round if the group has had its turn.
    """
    round_ = max(slot.round, first.round) if slot.initiative is None else slot.round
    return replace(slot, initiative=first.initiative, rank=first.rank, round=round_, group=group)


def take_apart(ctx: Context, people: Collection[str]) -> None:
    """Take people out of their groups; each keeps the group's initiative."""
    _emit_order(ctx, [replace(s, group="") if s.who in people else s for s in ctx.state.slots])


def leave_nobody_alone(ctx: Context) -> None:
    """Dissolve groups of which only one member is left in the fight."""
    slots = _without_singles(ctx.state.slots)
    if slots != list(ctx.state.slots):
        ctx.emit(InitiativeSet(tuple(slots)))


def _emit_order(ctx: Context, slots: Sequence[Slot]) -> None:
    """Emit the new order, unless nothing changes."""
    new = initiative.arranged(ctx, _without_singles(slots))
    if new != ctx.state.slots:
        ctx.emit(InitiativeSet(new))


def _without_singles(slots: Sequence[Slot]) -> list[Slot]:
    """The slots without groups of fewer than two members in the fight."""
    there = Counter(slot.group for slot in slots if not slot.gone)
    return [replace(s, group="") if s.group and there[s.group] < 2 else s for s in slots]


def _read_new_group(reading: ParseState) -> str:
    tokens, people = reading.words, reading.values["people"]
    name = read_name(tokens, people)
    if len(people) < 2 and name not in turn_order.groups_of(tokens.state):
        raise tokens.refuse("expected two or more combatants, joined by commas")
    return name


class GroupArgs(Struct, frozen=True):
    """`group NAME,NAME[,NAME] [GROUP]`.

    Into the group of that name; without one into that of the first, or a new one.
    """

    people: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants who act together", usage="NAME,NAME[,NAME]"),
    ]
    name: Annotated[str, Argument(_read_new_group, "GROUP", lambda r: True, field=ANY_MORE)] = ""


def _group(ctx: Context, args: GroupArgs) -> None:
    people = args.people
    for combatant in people:
        _refuse_unfit(ctx, combatant)
    first = ctx.state.slot(people[0].id)
    name = args.name or (first.group if first is not None else "")
    name = name or free_name(ctx.state, _OWN_NUMBER.sub("", people[0].name), people)
    waits = next((s.who for s in ctx.state.slots if s.group == name and s.held), "")
    if waits:
        raise Refused(
            f"{turn_order.row_label(ctx.state, waits)} has delayed: `return {waits}` first"
        )
    put_together(ctx, [combatant.id for combatant in people], name)
    shown = turn_order.group_label(name, turn_order.group_members(ctx.state, name))
    ctx.text = f"{names_with_verb(people, 'acts', 'act')} together, as {shown}"


def _refuse_unfit(ctx: Context, combatant: Combatant) -> None:
    """Raise Refused for companions, and for those who have delayed."""
    slot = ctx.state.slot(combatant.id)
    if slot is None or slot.follows:
        raise Refused(f"{combatant.name} acts right after its owner, so can't be in a group")
    if slot.held:
        raise Refused(f"{combatant.name} has delayed: `return {combatant.id}` first")


def _ungroup(ctx: Context, tokens: TokenStream) -> None:
    """`ungroup GROUP` splits up a group; `ungroup NAME[,NAME]` takes some out of theirs."""
    there = turn_order.groups_of(ctx.state)
    if not there:
        raise Refused("nobody is in a group; `group NAME,NAME` makes one")
    group = _group_named(tokens)
    if group:
        tokens.next("a group")
        take_apart(ctx, [s.who for s in ctx.state.slots if s.group == group])
        ctx.text = f"{group} is split up: each now takes its own turn"
        return
    people = tokens.combatants("a group, or combatants in one")
    for combatant in people:
        slot = ctx.state.slot(combatant.id)
        if slot is None or not slot.group:
            raise Refused(f"{combatant.name} is in no group; there are {join_or(there, 'and')}")
    take_apart(ctx, [combatant.id for combatant in people])
    ctx.text = f"{names_with_verb(people, 'acts', 'act')} separately from the group"


GROUP_COMMANDS = (
    declare_command("group", "makes a group: one row, one initiative, one turn", GroupArgs, _group),
    Command(
        "ungroup",
        "ungroup NAME[,NAME] | ungroup GROUP",
        "takes somebody out of their group, or splits up the group",
        _ungroup,
    ),
)


def _init(ctx: Context, tokens: TokenStream) -> None:
    initiative.new_encounter(ctx)
    if tokens.take("roll"):
        everyone = bool(tokens.take("all"))
        ids = _ids_to_roll(ctx, everyone)
        if not ids:
            raise Refused("everyone has an initiative; `init roll all` rolls again for all")
        _roll_for(ctx, ids)
        ctx.text = "Initiative rolled for all" if everyone else "Initiative rolled"
        return
    people = _one_of_each_row(ctx, tokens.combatants("a combatant, a group or `roll`"))
    if side := tokens.take("before", "after"):
        _stand_beside(ctx, tokens, people, "before" if side == "before" else "after")
        return
    called = join_or(
        [turn_order.row_label(ctx.state, combatant_id) for combatant_id in people], "and"
    )
    if lies := tokens.take("roll", "natural"):
        dice = ctx.ruleset.initiative.dice(ctx.tables)
        lying = parse_faces(tokens, len(people), dice) if lies == "natural" else []
        _roll_for(ctx, people, lying)
        ctx.text = f"Initiative rolled for {called}"
        return
    score = ctx.ruleset.initiative.score
    if tokens.take("score"):
        for combatant_id in people:
            initiative.set_initiative(ctx, {combatant_id: score(ctx, combatant_id)})
        _ready_for_it(ctx, people)
        ctx.text = f"{called}: the initiative score"
        return
    words = ctx.ruleset.initiative.words(ctx.tables)
    word = tokens.take(*words)
    if words and not (word or tokens.has_number()):
        word = tokens.choice(f"initiative: a number, {join_or(words)}", words)
    total = words[word] if word else tokens.number("initiative", -99, 999)
    was = _former_note(ctx, people[0]) if len(people) == 1 else ""
    initiative.set_initiative(ctx, dict.fromkeys(people, total))
    _ready_for_it(ctx, people)
    its = word or number_aloud(total)
    ctx.text = f"Initiative of {called}: {its}{was}{_late_note(ctx, people)}"


def _stand_beside(
    ctx: Context, tokens: TokenStream, people: list[str], side: initiative.Placement
) -> None:
    """Put somebody before or after another, to settle a tie or to change places."""
    if len(people) > 1:
        raise Refused(f"`{side}` moves one row: name one, not {len(people)}")
    other = read_one_of_a_row(tokens, f"the combatant to go {side}")
    unit = turn_order.turn_unit(ctx.state, other.id)
    mine = turn_order.turn_unit(ctx.state, people[0])
    name = turn_order.row_label(ctx.state, people[0])
    if unit == mine:
        raise Refused(f"{name} can only go {side} somebody else")
    if not unit or unit[0].initiative is None:
        raise Refused(f"{other.name} has no initiative yet: `init {other.id} NUMBER`")
    if mine and mine[0].follows:
        leads = ctx.state.name(mine[0].follows)
        raise Refused(f"{name} acts on {leads}'s initiative")
    initiative.stand_beside(ctx, people[0], other.id, side)
    ctx.text = f"{name} acts {side} {turn_order.row_label(ctx.state, other.id)}"


def _one_of_each_row(ctx: Context, people: list[Combatant]) -> list[str]:
    """The ids of some people without any but the first named of each group."""
    rows: dict[str, str] = {}
    for combatant in people:
        unit = turn_order.turn_unit(ctx.state, combatant.id)
        rows.setdefault(unit[0].who if unit else combatant.id, combatant.id)
    return list(rows.values())


def _late_note(ctx: Context, people: list[str]) -> str:
    """A note that they have missed their place in this round; empty if they haven't."""
    before, now = ctx.before, ctx.state
    late = [
        new
        for combatant_id in people
        if (old := before.slot(combatant_id)) is not None
        and (new := now.slot(combatant_id)) is not None
        if old.round < now.round <= new.round
    ]
    return f", first in round {now.round + 1}" if late and now.in_combat else ""


def _former_note(ctx: Context, combatant_id: str) -> str:
    slot = ctx.state.slot(combatant_id)
    if slot is None or slot.initiative is None:
        return ""
    return f", was {turns.initiative_in_words(ctx.ruleset, slot.initiative, number_aloud)}"


def _ids_to_roll(ctx: Context, everyone: bool = False) -> list[str]:
    """The ids that still need initiative, or with `everyone` all; one for each group."""
    ids = (
        s.who
        for s in ctx.state.slots
        if (everyone or s.initiative is None) and turns.can_take_turns(ctx.state, s)
    )
    return turn_order.leaders(ctx.state, ids)


def _roll_for(ctx: Context, ids: list[str], lying: Sequence[tuple[int, ...]] = ()) -> None:
    """Roll initiative for those ids together, or for each with its dice in `lying`."""
    rolled = zip(ids, lying, strict=True) if lying else ()
    totals = [initiative.initiatives(ctx, [one], faces) for one, faces in rolled]
    totals = totals or [initiative.initiatives(ctx, ids)]
    initiative.set_initiative(ctx, {one: total for each in totals for one, total in each.items()})
    _ready_for_it(ctx, ids)


def _ready_for_it(ctx: Context, ids: list[str]) -> None:
    """Call the rules for all who got an initiative, each member of a group."""
    begun = turns.has_dynamic_initiative(ctx.state) and ctx.state.in_combat
    for one in ids:
        for slot in turn_order.turn_unit(ctx.state, one):
            if begun and slot.turns:  # only once a fight, though it is rolled each round
                continue
            ctx.ruleset.initiative.on_given(ctx, slot.who)


def _start(ctx: Context, args: NoArgs) -> None:
    if ctx.state.in_combat:
        raise Refused(f"the fight has begun: it is round {ctx.state.round}")
    if not ctx.state.combatants:
        raise Refused("there is nobody to fight; `add` somebody first")
    if ctx.other_logs.is_ledger:
        raise Refused("the ledger has no fights: it is for what happens between them")
    initiative.new_encounter(ctx)
    missing = _ids_to_roll(ctx)
    if missing:
        _roll_for(ctx, missing)
    turns.come_back_to_places(ctx)
    ctx.emit(Began(1))
    everybody = [each.id for each in ctx.state.combatants]
    reset_tracks(ctx, everybody, "fight", "a new fight")
    reset_tracks(ctx, everybody, "round", "a new fight")
    durations.begin_round(ctx, first=True)
    turns.next_turn(ctx)
    ctx.text = "The fight begins"


def _read_next(reading: ParseState) -> Combatant:
    words = reading.words
    if not words.done and not turns.is_popcorn(words.state):
        raise words.refuse(
            f"did not expect {words.upcoming!r}: the order says who is next; "
            "`setting order popcorn` lets you name them"
        )
    return read_one_of_a_row(words, "the combatant who acts next")


class NextArgs(Struct, frozen=True):
    """`next [NAME]`: the next one's name, if the order asks for it."""

    who: Annotated[
        Combatant | None,
        Argument(
            _read_next,
            "NAME",
            field=Field("person", (DUE,), optional=False, only_if=NAMES_NEXT),
        ),
    ] = None


def _next(ctx: Context, args: NextArgs) -> None:
    _in_combat(ctx)
    before = ctx.state.turn
    turns.next_turn(ctx, args.who.id if args.who is not None else "")
    ctx.text = f"{_what_ended(ctx, before)}; {turns.who_is_up(ctx)}"


def _what_ended(ctx: Context, before: str) -> str:
    if not before:
        return "The fight goes on"
    over = any(isinstance(e, TurnEnded) and e.who == before for e in ctx.events)
    name = turn_order.current_turn_label(ctx.before)
    return f"{name}'s turn ends" if over else f"{name} wakes before the turn ends"


def _in_combat(ctx: Context) -> None:
    if not ctx.state.in_combat:
        over = ctx.state.phase == "ended"
        raise Refused(f"the fight {'is over' if over else 'has not begun'}; `start` begins it")


def _end(ctx: Context, args: NoArgs) -> None:
    _in_combat(ctx)
    ctx.ruleset.turns.on_fight_end(ctx)
    for combatant in ctx.state.combatants:
        if combatant.has_acted:
            ctx.emit(UsesReset(combatant.id, "turn"))
        for effect in combatant.effects:
            if effect.until.ends == "fight":
                remove_effect(ctx, combatant.id, effect.id, "the fight is over")
    ctx.emit(Ended())
    ctx.text = "The fight is over"


class FinishArgs(Struct, frozen=True):
    """`finish NAME[,NAME]`."""

    people: Annotated[
        list[Combatant],
        arguments.combatants_arg(
            "those whose own turn is over", field=Field("targets", ("up", "anyone"))
        ),
    ]


def _finish(ctx: Context, args: FinishArgs) -> None:
    _in_combat(ctx)
    for combatant in args.people:
        turns.end_own_turn(ctx, combatant.id)
    is_over = not any(ctx.before.takes_turn(each) for each in ctx.state.taking_turn())
    after = f"; {turns.who_is_up(ctx)}" if is_over else ""
    ctx.text = f"{names_with_verb(args.people, 'is', 'are')} done{after}"


class OftenArgs(Struct, frozen=True):
    """`turns-a-round NAME N`."""

    who: Annotated[Combatant, arguments.combatant_arg("who has several turns")]
    often: Annotated[int, arguments.number_arg("how many turns a round", 1, 9)]


def _often(ctx: Context, args: OftenArgs) -> None:
    turns.set_often(ctx, args.who.id, args.often)
    count = "a turn" if args.often == 1 else f"{args.often} turns"
    ctx.text = f"{args.who.name} has {count} a round"


class DelayArgs(Struct, frozen=True):
    """`delay [COUNT]`."""

    count: Annotated[
        int | None,
        arguments.number_arg(
            "the lower initiative count", -99, 999, "COUNT", field=ASKED_ELSEWHERE
        ),
    ] = None


def _delay(ctx: Context, args: DelayArgs) -> None:
    _in_combat(ctx)
    turns.delay_turn(ctx, ctx.actor().id, args.count)
    to = "" if args.count is None else f" to {args.count}"
    ctx.text = f"{turn_order.current_turn_label(ctx.before)} delays{to}; {turns.who_is_up(ctx)}"


class ReturnArgs(Struct, frozen=True):
    """`return [NAME]`: without a name, the actor, or the only one who has delayed."""

    who: Annotated[
        Combatant | None,
        one_of_a_row_arg("the combatant whose turn was delayed", "person", "waiting"),
    ] = None


def _return(ctx: Context, args: ReturnArgs) -> None:
    _in_combat(ctx)
    actor = args.who or _who_waits(ctx)
    turns.come_back(ctx, actor.id)
    ctx.by = actor.id
    ctx.text = f"{turn_order.row_label(ctx.state, actor.id)} comes back in"


def _who_waits(ctx: Context) -> Combatant:
    if ctx.by:
        return ctx.state[ctx.by]
    waiting = [s for s in ctx.state.slots if s.held and turns.can_take_turns(ctx.state, s)]
    held = [unit[0].who for unit in turn_order.turn_units(waiting)]
    if not held:
        raise Refused("nobody has delayed")
    if len(held) > 1:
        raise Refused(f"several have delayed: say which, `return {join_or(held)}`", held)
    return ctx.state[held[0]]


class SwapArgs(Struct, frozen=True):
    """`swap NAME`."""

    ally: Annotated[Combatant, one_of_a_row_arg("the tied ally who goes first", "ally", legal=True)]


def _swap(ctx: Context, args: SwapArgs) -> None:
    _in_combat(ctx)
    now = turn_order.current_turn_label(ctx.state)
    turns.swap_tied(ctx, args.ally.id)
    ctx.text = f"{turn_order.row_label(ctx.state, args.ally.id)} goes before {now}"


FLOW_COMMANDS = (
    Command(
        "init",
        "init NAME[,NAME] NUMBER | init NAME[,NAME] natural N | init NAME[,NAME] roll | "
        "init NAME before|after NAME | init roll [all]",
        "sets or rolls initiative, or breaks a tie",
        _init,
        fields={
            "who": Field("self", ("unplaced",)),
            "total": Field("number", ("roll", "before", "after")),
            "before": Field("person", ("placed",), only_if="before"),
            "after": Field("person", ("placed",), only_if="after"),
        },
    ),
    declare_command("start", "begins the fight and rolls any missing initiative", NoArgs, _start),
    declare_command("next", "ends the turn and begins the next", NextArgs, _next),
    declare_command("finish", "ends one's own turn where a side acts at once", FinishArgs, _finish),
    declare_command("turns-a-round", "gives somebody several turns a round", OftenArgs, _often),
    declare_command("end", "ends the fight", NoArgs, _end),
    declare_command(
        "delay", "delays a turn in which nothing was done yet", DelayArgs, _delay, acts=True
    ),
    declare_command("return", "takes a delayed turn now", ReturnArgs, _return, acts=True),
    declare_command("swap", "lets a tied ally go first", SwapArgs, _swap),
)
