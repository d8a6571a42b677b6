"""A recap as the players may read it: nobody hidden, no number of a foe's, no word of the GM's.

What was done is told by who did it and what it is called, never in the log's words, which may hold
any of these. Whoever was hidden when something happened is not named for it, though known later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from affray.core.telling.public.known import has_told_numbers
from affray.core.telling.recap.facts import Blow, Chapter, Deed, Outcome, Person, Recap


def for_players(recap: Recap) -> Recap:
    """The recap without what the players don't know."""
    people = tuple(
        person if has_told_numbers(person.side) else _without_numbers(person)
        for person in recap.people
        if not person.hidden
    )
    told = {person.id for person in people if person.told}
    known = {person.id for person in people}
    chapters = tuple(_chapter(chapter, told, known) for chapter in recap.chapters)
    swing = recap.swing
    return replace(
        recap,
        people=people,
        chapters=chapters,
        blow=_blow(recap, chapters, told),
        swing=None if swing is None else replace(swing, before=None, after=None),
        gm_spent=(),
        for_players=True,
    )


def _without_numbers(person: Person) -> Person:
    return Person(person.id, person.name, person.side, told=False, life=person.life, did=person.did)


def _chapter(chapter: Chapter, told: set[str], known: set[str]) -> Chapter:
    """A round; what was before the fight and behind it is the GM's own business."""
    deeds = seen_deeds(chapter.deeds, told, known) if chapter.round else ()
    return replace(chapter, deeds=tuple(deeds), foes=None)


def seen_deeds(deeds: Iterable[Deed], told: set[str], known: set[str]) -> Iterator[Deed]:
    """The deeds of which players see anything, without what they don't.

    `told` are the ids of those whose numbers may be told, `known` of those whom they know of.
    """
    seen = (_deed(deed, told, known) for deed in deeds)
    return (deed for deed in seen if deed.by or deed.outcomes)


def _deed(deed: Deed, told: set[str], known: set[str]) -> Deed:
    seen = known.difference(deed.unseen)
    outcomes = tuple(
        _outcome(outcome, told, seen)
        for outcome in deed.outcomes
        if outcome.who in seen and (outcome.kind != "roll" or outcome.by in seen)
    )
    by = deed.by if deed.by in seen else ""
    return replace(deed, by=by, title="", outcomes=outcomes, unseen=())


def _outcome(outcome: Outcome, told: set[str], seen: set[str]) -> Outcome:
    by = outcome.by if outcome.by in seen else ""
    amount = outcome.amount if outcome.who in told else None
    return replace(outcome, by=by, amount=amount)


def _blow(recap: Recap, chapters: tuple[Chapter, ...], told: set[str]) -> Blow | None:
    """The largest blow, as far as the players saw it: none where they didn't see whom it hit; not
    who struck, where they didn't see that; not the amount, where it hit none of them."""
    blow = recap.blow
    found = (
        outcome
        for chapter in chapters
        for deed in chapter.deeds
        for outcome in deed.outcomes
        if blow is not None and (deed.seq, outcome.who) == (blow.seq, blow.who)
    )
    seen = next((outcome for outcome in found if outcome.kind == "damage"), None)
    if blow is None or seen is None:
        return None
    return replace(blow, by=seen.by, amount=blow.amount if blow.who in told else None)
