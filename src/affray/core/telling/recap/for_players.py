"""A recap as the players may read it: nobody hidden, no number of a foe's, no word of the GM's.

What was done is told by who did it and what it is called, never in the log's words, which may hold
any of these. Whoever was hidden when something happened is not named for it, though known later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from affray.core.heart.history import History
from affray.core.rules.ruleset import Ruleset
from affray.core.telling.public.known import TITLE, chosen, has_told_numbers
from affray.core.telling.public.names import names_of_met
from affray.core.telling.recap.facts import Chapter, Deed, Person, Recap
from affray.core.telling.recap.fold import recap_of, seen_deeds


def players_recap(history: History, ruleset: Ruleset) -> Recap:
    """What is told of a fight to the players: all of it is counted from what they saw.

    They are called as in the players' view, and the title is there if that has it.
    """
    recap = recap_of(history, ruleset, only_known=True)
    names = names_of_met(history)
    people = tuple(
        replace(person if has_told_numbers(person.side) else _without_numbers(person), name=name)
        for person in recap.people
        for name in (names.get(person.id, person.name),)
    )
    told = {person.id for person in people if person.told}
    swing, blow = recap.swing, recap.blow
    return replace(
        recap,
        title=recap.title if chosen(history.state, TITLE) == "shown" else "",
        people=people,
        chapters=tuple(_chapter(chapter, told) for chapter in recap.chapters),
        blow=blow if blow is None or blow.who in told else replace(blow, amount=None),
        swing=None if swing is None else replace(swing, before=None, after=None),
        gm_spent=(),
        for_players=True,
    )


def _without_numbers(person: Person) -> Person:
    return Person(person.id, person.name, person.side, told=False, life=person.life, did=person.did)


def _chapter(chapter: Chapter, told: set[str]) -> Chapter:
    """A round; what was before the fight and behind it is the GM's own business."""
    deeds = without_numbers(chapter.deeds, told) if chapter.round else ()
    return replace(chapter, deeds=tuple(deeds), foes=None)


def players_deeds(deeds: Iterable[Deed], told: set[str], known: set[str]) -> Iterator[Deed]:
    """What players see of deeds, without the numbers that they don't know.

    `told` are the ids of those whose numbers may be told, `known` of those whom they know of.
    """
    return without_numbers(seen_deeds(deeds, known), told)


def without_numbers(deeds: Iterable[Deed], told: set[str]) -> Iterator[Deed]:
    """Deeds without the log's words, and without the amounts of all others than `told`."""
    for deed in deeds:
        outcomes = tuple(o if o.who in told else replace(o, amount=None) for o in deed.outcomes)
        yield replace(deed, title="", outcomes=outcomes)
