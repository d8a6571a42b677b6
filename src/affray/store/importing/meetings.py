"""Encounters of other programs, as fights that are prepared: who is in them, and how they are."""

from __future__ import annotations

from pathlib import Path

from affray.core.language.ids import id_of
from affray.core.language.refusal import Refused
from affray.store.encounter import OpenEncounter
from affray.store.importing.contents import Meeting, Member
from affray.store.importing.making import key_of


def stem_of(title: str) -> str:
    """The name of an encounter's file, without its ending."""
    return id_of(title)[:60].strip("-") or "encounter"


def play(path: Path, ruleset_id: str, meeting: Meeting) -> list[str]:
    """Begin a fight in a new file and bring everybody in; gives a line for each who could not be.

    The campaign's rows must be beside it. Raises LogError for the file.
    """
    left: list[str] = []
    with OpenEncounter.create(path, ruleset_id, meeting.title) as fight:
        if meeting.party and fight.ruleset.tables.party:
            fight.do("add party")
        for members in _alike(meeting.members):
            try:
                _bring(fight, members)
            except Refused as refusal:
                left.append(f"{meeting.title}: {members[0].creature}: {refusal.message}")
    return left


def _alike(members: tuple[Member, ...]) -> list[list[Member]]:
    """Members of one creature and one name together, in the order of the first of them."""
    found: dict[tuple[str, str, bool], list[Member]] = {}
    for member in members:
        found.setdefault((member.creature, member.called, member.friend), []).append(member)
    return [*found.values()]


def _bring(fight: OpenEncounter, members: list[Member]) -> None:
    before = {c.id for c in fight.state.combatants}
    one = members[0]
    key = key_of(one.creature)
    if fight.ruleset.tables.bestiary.get(key) is None:
        raise Refused("it is not in the bestiary")
    count = min(sum(member.count for member in members), 50)
    words = ["add", key, *([f"x{count}"] if count > 1 else [])]
    words += ["as", _quoted(one.called)] if one.called else []
    words += ["side", "party"] if one.friend else []
    fight.do(" ".join(words))
    added = [c.id for c in fight.state.combatants if c.id not in before]
    each = [member for member in members for _ in range(member.count)]
    for who, member in zip(added, each, strict=False):
        _as_it_was(fight, who, member)


def _as_it_was(fight: OpenEncounter, who: str, member: Member) -> None:
    """Its HP then, whether the players know of it, and what is noted of it."""
    now = fight.state[who].tracks.get("hp")
    if member.hp is not None and now is not None and member.hp != now.value:
        top = f" of {member.most}" if member.most and member.most != now.max else ""
        fight.do(f"set {who} hp {min(member.hp, member.most or now.max or member.hp)}{top}")
    if member.temp and "temp_hp" in fight.state[who].tracks:
        fight.do(f"set {who} temp_hp {member.temp}")
    if member.hidden:
        fight.do(f"conceal {who}")
    for note in member.notes:
        fight.do(f"note on {who} {_quoted(note)}")


def _quoted(text: str) -> str:
    plain = " ".join(text.replace('"', "'").split())
    return f'"{plain[:40]}"'
