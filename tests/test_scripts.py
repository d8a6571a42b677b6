"""The sample scripts of docs/scripts: each runs, and does what docs/scripts.md shows."""

from __future__ import annotations

import json
import re
import runpy
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import affray
from affray.store.open_encounter import OpenEncounter

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "docs" / "scripts"
PAGE = (ROOT / "docs" / "scripts.md").read_text("utf-8")


def script(name: str) -> SimpleNamespace:
    """What the script defines; nothing is written beside it."""
    return SimpleNamespace(**runpy.run_path(str(SCRIPTS / f"{name}.py")))


def shown(name: str) -> tuple[list[str], str]:
    """The arguments of a script's run on the page, and what it printed there."""
    found = re.search(rf"^\$ python docs/scripts/{name}\.py (.*)\n([\s\S]*?)^```$", PAGE, re.M)
    assert found is not None
    return found[1].split(), found[2]


def test_every_script_is_on_the_page() -> None:
    assert {path.stem for path in SCRIPTS.glob("*.py")} == set(
        re.findall(r"\]\(scripts/(\w+)\.py\)", PAGE)
    )


# -- a season --------------------------------------------------------------------------------------


def test_a_season_is_summed_up_and_drawn_as_the_page_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (campaign, svg, picture), output = shown("season")
    drawn = tmp_path / "season.svg"
    script("season").main([str(ROOT / campaign), svg, str(drawn)])
    assert capsys.readouterr().out == output
    assert drawn.read_text("utf-8") == (SCRIPTS / picture).read_text("utf-8")
    assert f"](scripts/{picture})" in PAGE


def test_a_season_without_a_fight_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "campaign.toml").write_text('name = "The Fen & <Moor>"\n', "utf-8")
    with pytest.raises(SystemExit):
        script("season").main([str(tmp_path)])
    assert capsys.readouterr().err == "The Fen & <Moor>: no fight has begun yet\n"


def test_who_fell_is_counted_each_time_and_names_are_no_markup() -> None:
    fight = affray.Fight("5e", "Ford", seed=1)
    fight.add("pc", "Mira <b>", hp=20, ac=12)
    fight.add("monster", "Ghoul", hp=20)
    fight.start()
    for _ in range(2):
        fight.damage("mira", 22)
        fight.heal("mira", 5)
    season = script("season")
    figures = season.season_of([fight.recap()])
    assert figures["Mira <b>"][0]["fell"] == 2 and figures["Mira <b>"][0]["taken"] == 25
    assert "Mira &lt;b&gt;" in season.picture(figures, ["Ford"])


# -- a difficulty ----------------------------------------------------------------------------------


def test_a_party_is_set_against_more_and_more(capsys: pytest.CaptureFixture[str]) -> None:
    (campaign, creature, *_), output = shown("difficulty")
    words = [str(ROOT / campaign), creature, "--most", "2", "--fights", "2"]
    script("difficulty").main(words)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == output.splitlines()[0]
    assert [line.split()[0] for line in lines[1:]] == ["1", "2"]
    assert {len(line) for line in lines} == {len(line) for line in output.splitlines()}


def test_a_creature_that_is_not_there_is_told_with_what_is_close(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (campaign, creature, *_), _ = shown("difficulty")
    with pytest.raises(SystemExit):
        script("difficulty").main([str(ROOT / campaign), creature[:-1]])
    assert f"did you mean {creature}?" in capsys.readouterr().err


# -- a recap for Discord ---------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A fight with much that the players don't know."""
    path = tmp_path / "ford.toml"
    OpenEncounter.create(path, "5e", "The Traitor at the Ford").close()
    with affray.open(path, seed=1) as fight:
        fight.setting("players-title", "hidden")
        fight.add("pc", "Mira *the Quick*", hp=30, ac=15)
        fight.add("monster", "Ghoul", hp=20)
        fight.add("monster", "Oskar", hp=77, hidden=True)
        fight.note("Oskar is the traitor")
        fight.start()
        fight.damage("mira", 12)
        fight.damage("ghoul", 17)
        fight.damage("oskar", 33)
    return path


def test_a_post_has_the_players_recap_and_nothing_else(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script("discord_recap").main([str(saved), "--dry-run"])
    printed = capsys.readouterr().out
    (embed,) = json.loads(printed)["embeds"]
    assert "**Mira \\*the Quick\\*** dealt 0, took 12" in embed["fields"][-1]["value"]
    assert "Ghoul" in embed["description"]
    for hidden in ("Oskar", "Traitor", "traitor", "33", "77", "17"):
        assert hidden not in json.dumps({**embed, "timestamp": ""})


def test_a_post_stays_within_what_discord_takes(saved: Path) -> None:
    with affray.open(saved) as fight:
        fight.add("monster", "Wight of a very very very long name", count=50, hp=9)
        for number in range(50):
            fight.damage(f"wight-of-a-very-very-very-long-name-{number + 1}", 9)
        (embed,) = script("discord_recap").post_of(fight)["embeds"]
    parts = [embed["title"], embed["description"]]
    parts += [text for field in embed["fields"] for text in field.values()]
    assert len(embed["description"]) <= 2048 and sum(map(len, parts)) <= 6000
    assert all(0 < len(field["value"]) <= 1024 for field in embed["fields"])


def test_a_post_is_given_to_the_webhook_and_rings_no_bell(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[Any] = []

    class Answer:
        def __enter__(self) -> None: ...
        def __exit__(self, *error: object) -> None: ...

    def urlopen(request: urllib.request.Request, timeout: int) -> Answer:
        requests.append(request)
        return Answer()

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    monkeypatch.setenv("DISCORD_WEBHOOK", "https://discord.example/hook")
    script("discord_recap").main([str(saved)])
    (request,) = requests
    assert request.full_url == "https://discord.example/hook"
    assert json.loads(request.data)["allowed_mentions"] == {"parse": []}


@pytest.mark.parametrize("webhook", ["", "http://discord.example/hook"])
def test_without_a_webhook_nothing_is_sent(
    saved: Path,
    webhook: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DISCORD_WEBHOOK", webhook)
    with pytest.raises(SystemExit):
        script("discord_recap").main([str(saved)])
    assert "DISCORD_WEBHOOK must be the address of a webhook" in capsys.readouterr().err
