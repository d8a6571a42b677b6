"""Whatever the fight: nothing that the players must not know is in what leaves the program.

Secrets are marked, by words and numbers that are nowhere else, and looked for in every byte.
`PLAYERS_EXAMPLES=1000` plays more fights than the suite has time for, and others each time.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import msgspec
from hypothesis import given, settings, strategies as st
from tests.invariants.games import GAMES
from tests.invariants.language import CAMPAIGNS, MOVES, Game, Lines, any_command, words
from tests.serve.told import phone_told

from affray import Fight
from affray.core.engine.settings import SETTINGS
from affray.core.engine.state import Encounter
from affray.core.engine.turns import upcoming_turns
from affray.core.formatting.players_view import PlayersView, players_view
from affray.core.formatting.recap_output import markdown, players_recap, render_html
from affray.core.formatting.visibility import is_known_to_players, shows_numbers
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Ruleset
from affray.serve.page import inside
from affray.store.campaigns.campaign_rules import ruleset_with_campaign

EXAMPLES = int(os.environ.get("PLAYERS_EXAMPLES", "60"))
LURKER, LATER = "vexquill", "quokkabeast"
WORD, HEALTH, BLOW, THREADS = "zyzzyva", 7919, 3571, 5417
COMMANDS = 14

SECRETS = (
    f"add monster {LURKER.title()} hp {HEALTH} hidden",
    f"add monster Ogrelord hp {HEALTH}",
    f'note "{WORD}"',
    f'note on ogrelord "{WORD}"',
    f'read-aloud "{WORD}"',
    f'clock "{WORD}" 6 rounds hidden',
    f"add monster {LATER.title()} hp 9 wave 2",
    *(f"set gm {track} {THREADS}" for track in ("threads", "supplies")),
)
"""What every fight begins with, as far as its game has it."""


def on_secrets(game: Game) -> Lines:
    """What brings them close to what is shown."""
    effects = [*list(game.ruleset.tables.effects)[:12], "hexed"]
    bearer = words("mira", "ogrelord", LURKER)
    quoted = [f'inflict {{}} "{name}" ' for name in effects]
    ends = (
        f"until end of {LURKER}",
        f"until start of {LURKER}",
        f"from {LURKER}",
        f'note "{WORD}"',
        f'until "{WORD}"',
    )
    laid = st.tuples(st.sampled_from(quoted), bearer, words(*ends))
    return st.one_of(
        laid.map(lambda row: row[0].format(row[1]) + row[2]),
        words(
            *("start", "next", "next", "next", "init roll all", "end", "undo", "redo"),
            *(f"init {LURKER} {place}" for place in (99, 12, -9)),
            *(f"damage ogrelord {n}" for n in (BLOW, 9)),
            *(f"damage {LURKER} {n}" for n in (BLOW, 9)),
            *(f"damage mira 3 by {LURKER}", f"strike mira by {LURKER}", f"next by {LURKER}"),
            *(f"reveal {LURKER}", f"conceal {LURKER}", "conceal ogrelord", "reveal foes"),
            *(f"amend {n} out" for n in (9, 12, 14, 16)),
            *(f"amend before {n} add monster {LURKER.title()} hp 9 hidden" for n in (3, 12, 15)),
            *(f'amend 15 note "{WORD}"', f"rename {LURKER} Old {LURKER.title()}", "goto 15"),
            *(f"leave {LURKER}", f"group {LURKER},ogrelord Pack", f"delay by {LURKER}"),
            *(f'ready strike "{WORD}"', f'ready strike "{WORD}" by ogrelord'),
            *(f'forward {who} +2 "{WORD}"' for who in ("mira", "ogrelord")),
            *(f'ready attack "{WORD}"', f'modifier mira +2 attack note "{WORD}"'),
            f"hold ogrelord {WORD} 3",
            *(f'clock "{WORD}" tick', f'clock "{WORD}" tick 9', f"set ogrelord hp {BLOW}"),
        ),
    )


CHOICES = [f"setting {setting.name} {value}" for setting in SETTINGS for value in setting.values]


@lru_cache
def rules_of(which: int) -> Ruleset:
    game = GAMES[which]
    if not game.campaign:
        return game.ruleset
    where: Path = CAMPAIGNS / game.campaign / "encounters" / "any.toml"
    return ruleset_with_campaign(game.ruleset, where)


@lru_cache
def lines_of(which: int) -> Lines:
    game = GAMES[which]
    return st.one_of(on_secrets(game), on_secrets(game), any_command(game), MOVES)


def begun(which: int, *chosen: str) -> Fight:
    game = GAMES[which]
    fight = Fight(game.ruleset.id, seed=3)
    fight.ruleset = rules_of(which)
    fight.do(*game.setup)
    for line in (*SECRETS, "setting players-act ask", *chosen):
        give(fight, line)
    assert fight[LURKER].now.hidden
    return fight


def give(fight: Fight, line: str) -> bool:
    try:
        fight.do(line)
    except Refused:
        return False
    return True


def sent(fight: Fight, shown: PlayersView) -> str:
    """All that leaves: as the page has it, as it is, and what each known phone is told."""
    told = [phone_told(fight, who.id) for who in fight.state.combatants if who.kind == "pc"]
    return "".join([inside(shown), msgspec.json.encode(shown).decode(), *told]).casefold()


def secrets_in(state: Encounter) -> set[str]:
    """What the players must not know now, as it would be written."""
    found = {WORD, str(THREADS), str(BLOW)}
    for who in state.combatants:
        if not shows_numbers(who.side):
            tracks = who.tracks.values()
            found |= {str(n) for t in tracks for n in (t.value, t.max) if n and abs(n) > 999}
    found |= {str(track.value) for track in state.tracks.values() if abs(track.value) > 999}
    return found | {each for each in (LURKER, LATER) if not is_known_to_players(state.find(each))}


def check(fight: Fight, line: str) -> None:
    shown, state = players_view(fight.history, fight.ruleset), fight.state
    retold = players_recap(fight.history, fight.ruleset)
    text = sent(fight, shown) + render_html(retold).casefold() + markdown(retold).casefold()
    assert [s for s in secrets_in(state) if s in text] == [], line
    known = [who for who in state.in_order() if is_known_to_players(who)]
    assert len(shown.people) == len(known), line
    names = {who.name for who in shown.people}
    assert set(shown.up) <= names and {shown.next} <= names | {""}, line
    coming = upcoming_turns(state, len(state.slots)) if shown.phase == "combat" else ()
    others = [who.name for who in shown.people if who.name not in shown.up]
    is_told = any(is_known_to_players(state.find(who)) for who in coming) and others
    assert shown.next or not is_told, f"{line}: as if nobody came next"
    assert all(who.tracks == () for who in shown.people if not shows_numbers(who.side))


@settings(max_examples=EXAMPLES, deadline=None, derandomize="PLAYERS_EXAMPLES" not in os.environ)
@given(data=st.data())
def test_nothing_that_is_marked_secret_ever_leaves(data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(GAMES) - 1))
    chosen = data.draw(st.lists(st.sampled_from(CHOICES), min_size=1, max_size=3))
    fight = begun(which, "setting players-log shown", *chosen, f"init {LURKER} 12", "start")
    check(fight, "the beginning")
    for _ in range(COMMANDS):
        line = data.draw(lines_of(which))
        if give(fight, line):
            check(fight, line)


def test_the_secrets_are_found_where_they_are_told() -> None:
    """That the marks are looked for as they are written: on what the GM sees they are found."""
    fight = begun(0)
    report = msgspec.json.encode(fight.report()).decode().casefold()
    missing = secrets_in(fight.state) - {str(BLOW)}
    assert {secret for secret in missing if secret in report} == missing
