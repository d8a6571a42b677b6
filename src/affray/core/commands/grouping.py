"""Commands about groups: group, ungroup, and how others read a group's name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain
from string import ascii_uppercase
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.heart import groups
from affray.core.heart.events import Ordered
from affray.core.heart.order import arranged
from affray.core.heart.state import Combatant, Encounter, Slot
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused, listed
from affray.core.language.who import is_taken
from affray.core.rules.ruleset import Verb

if TYPE_CHECKING:
    from affray.core.heart.decide import Context
    from affray.core.language.words import Words

_OWN_NUMBER = re.compile(r" \d+$")
LONGEST = 40


def read_one_of_a_row(words: Words, what: str) -> Combatant:
    """Read a combatant, or a group by its name, which stands for its first that can act."""
    group = _group_named(words)
    if not group:
        return words.combatant(what)
    words.next(what)
    first = groups.first_able(groups.members(words.state, group))
    assert first is not None  # a group that can be named has somebody in it
    return first


def _group_named(words: Words) -> str:
    """The group that the next word names; empty for none. Whoever is called so goes before it."""
    if words.done:
        words.offered.extend(groups.words(words.state))
    is_somebody = is_taken(words.state, words.upcoming)
    return "" if is_somebody else groups.named(words.state, words.upcoming)


def read_name(words: Words, people: Collection[Combatant] = ()) -> str:
    """Read a group's name, where one stands; it is more than a word in quotes only.

    `people` are those who are to be its members. Raises Refused for a new name by which commands
    would mean others.
    """
    if words.done:
        words.offered.extend(groups.words(words.state))
        return ""
    name = str(words.next("the group's name")).strip()
    if not name.isprintable() or not 0 < len(name) <= LONGEST or "," in name:
        words.back()
        raise words.refuse(f"expected a group's name of 1 to {LONGEST} characters, no comma")
    there = groups.named(words.state, name)
    if not there and is_taken(words.state, name, people):
        words.back()
        raise words.refuse(f"{name!r} means others already: expected another name for the group")
    return there or name


def free_name(state: Encounter, name: str, people: Collection[Combatant] = ()) -> str:
    """A name for a new group of `people` who are called so: `Crockling`, or else `Crockling B`."""
    letters = (f"{name} {letter}" for letter in ascii_uppercase[1:])
    more = (f"{name} Z{number}" for number in range(2, len(state.slots) + 2))
    return next(
        each
        for each in chain([name], letters, more)
        if not groups.named(state, each) and not is_taken(state, each, people)
    )


def put_together(ctx: Context, people: Sequence[str], name: str) -> None:
    """Make people members of a group, which stands where it stood, or where the first of them does.

    They have its initiative from then on. Whoever was in another group has left that. A group of
    which all have left the fight is none: its name may be used again.
    """
    old = name if name in groups.names(ctx.state) else ""
    slots = [replace(s, group="") if s.group == name != old else s for s in ctx.state.slots]
    of = {slot.who: slot for slot in slots}
    there = [slot for slot in slots if slot.group == name] or [of[people[0]]]
    joining = [who for who in people if who != there[-1].who and of[who].group != name]
    stay = [slot for slot in slots if slot.who not in joining]
    place = stay.index(there[-1])
    new = [_joined(of[who], there[0], name) for who in (there[-1].who, *joining)]
    _order(ctx, [*stay[:place], *new, *stay[place + 1 :]])


def _joined(slot: Slot, first: Slot, group: str) -> Slot:
    """The slot in a group, at its first's initiative.

    A newcomer, whose own was not known, waits for the next round if the group has had its turn.
    """
    round_ = max(slot.round, first.round) if slot.initiative is None else slot.round
    return replace(slot, initiative=first.initiative, rank=first.rank, round=round_, group=group)


def take_apart(ctx: Context, people: Collection[str]) -> None:
    """Take people out of their groups: each stands at its group's initiative, for itself."""
    _order(ctx, [replace(s, group="") if s.who in people else s for s in ctx.state.slots])


def leave_nobody_alone(ctx: Context) -> None:
    """Take whoever is the last of a group out of it, once the others have left the fight."""
    slots = _together(ctx.state.slots)
    if slots != list(ctx.state.slots):
        ctx.emit(Ordered(tuple(slots)))


def _order(ctx: Context, slots: Sequence[Slot]) -> None:
    """Let that be the order, unless it is so already."""
    new = arranged(ctx, _together(slots))
    if new != ctx.state.slots:
        ctx.emit(Ordered(new))


def _together(slots: Sequence[Slot]) -> list[Slot]:
    """The slots with groups of two or more who are there: who is alone in one is in none."""
    there = Counter(slot.group for slot in slots if not slot.gone)
    return [replace(s, group="") if s.group and there[s.group] < 2 else s for s in slots]


def _group(ctx: Context, words: Words) -> None:
    """`group NAME,NAME [GROUP]`: into the group of that name, or the first one's, or a new one."""
    people = words.combatants("who act together")
    name = read_name(words, people)
    first = ctx.state.slot(people[0].id)
    own = first.group if first is not None else ""
    if len(people) < 2 and name not in groups.names(ctx.state):
        raise words.refuse("expected two or more who act together, joined by commas")
    for who in people:
        _refuse_unfit(ctx, who)
    name = name or own or free_name(ctx.state, _OWN_NUMBER.sub("", people[0].name), people)
    waits = next((s.who for s in ctx.state.slots if s.group == name and s.held), "")
    if waits:
        raise Refused(f"{groups.name_of(ctx.state, waits)} has delayed: `return {waits}` first")
    put_together(ctx, [who.id for who in people], name)
    shown = groups.called(name, groups.members(ctx.state, name))
    ctx.text = f"{they(people, 'acts', 'act')} together, as {shown}"


def _refuse_unfit(ctx: Context, who: Combatant) -> None:
    """Raises Refused for those whose place is not their own, and for those who hold back."""
    slot = ctx.state.slot(who.id)
    if slot is None or slot.follows:
        raise Refused(f"{who.name} acts right behind another, so can't be in a group")
    if slot.held:
        raise Refused(f"{who.name} has delayed: `return {who.id}` first")


def _ungroup(ctx: Context, words: Words) -> None:
    """`ungroup GROUP` parts all of it; `ungroup NAME[,NAME]` takes some out of theirs."""
    there = groups.names(ctx.state)
    if not there:
        raise Refused("nobody is in a group; `group NAME,NAME` makes one")
    group = _group_named(words)
    if group:
        words.next("a group")
        take_apart(ctx, [s.who for s in ctx.state.slots if s.group == group])
        ctx.text = f"{group} is parted: each has a turn of their own"
        return
    people = words.combatants("a group, or who leaves theirs")
    for who in people:
        slot = ctx.state.slot(who.id)
        if slot is None or not slot.group:
            raise Refused(f"{who.name} is in no group; there are {listed(there, 'and')}")
    take_apart(ctx, [who.id for who in people])
    ctx.text = f"{they(people, 'acts', 'act')} apart from the group"


GROUP_VERBS = (
    Verb(
        "group",
        "group NAME,NAME[,NAME] [GROUP]",
        "puts several into one row, with one initiative and one turn",
        _group,
    ),
    Verb(
        "ungroup",
        "ungroup NAME[,NAME] | ungroup GROUP",
        "takes somebody out of their group, or parts all of it",
        _ungroup,
    ),
)
