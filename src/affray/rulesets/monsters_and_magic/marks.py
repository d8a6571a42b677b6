"""The commands mark and clear: what is counted. Seed 004: Fatigue & Exhaustion."""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.events import Noted
from affray.core.heart.state import Combatant
from affray.core.language.clauses import names, they
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulesets.monsters_and_magic import tracks


def _mark(ctx: Context, words: Words) -> None:
    people, track, amount = _track_and_amount(words)
    for who in people:
        tracks.mark_track(ctx, who.id, track, amount)
    done = ("uses up", "use up") if tracks.counts_left(ctx.tables, track) else ("marks", "mark")
    ctx.text = f"{names(people)} {done[len(people) > 1]} {tracks.label(ctx.tables, track)}"


def _clear(ctx: Context, words: Words) -> None:
    people, track, amount = _track_and_amount(words)
    called = tracks.label(ctx.tables, track)
    for who in people:
        done_before = len(ctx.events)
        tracks.clear_track(ctx, who.id, track, amount)
        if len(ctx.events) == done_before:
            ctx.emit(Noted(f"{who.name} had no {called} to clear"))
    left = tracks.counts_left(ctx.tables, track)
    done = ("gets back", "get back") if left else ("clears", "clear")
    ctx.text = f"{names(people)} {done[len(people) > 1]} {called}"


def _track_and_amount(words: Words) -> tuple[list[Combatant], str, int]:
    """A track of one or several other than HP, which damage and healing move, and how far.

    Raises Refused, naming who, when one of them hasn't got it.
    """
    people = words.combatants("whose track")
    known = [name for who in people for name in who.tracks if name not in ("hp", "temp_hp")]
    if not known:
        raise Refused(f"{they(people, 'has', 'have')} no tracks that could be marked")
    track = words.choice("a track", dict.fromkeys(known))
    without = [who for who in people if track not in who.tracks]
    if without:
        raise Refused(f"{they(without, 'has', 'have')} no track {track!r}")
    return people, track, words.maybe_number(1, "how many", 1)


MARK_VERBS = (
    Verb("mark", "mark NAME[,NAME] TRACK [N]", "marks fatigue, exhaustion or another track", _mark),
    Verb("clear", "clear NAME[,NAME] TRACK [N]", "clears marks of a track", _clear),
)
