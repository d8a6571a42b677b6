"""Post what the players may read of a fight's recap to a Discord channel.

python discord_recap.py the-sluice-gate.toml --dry-run
DISCORD_WEBHOOK=https://discord.com/api/webhooks/... python discord_recap.py the-sluice-gate.toml
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import urllib.error
import urllib.request
from typing import Any

import affray

MOST_IN_A_TITLE, MOST_IN_A_SUMMARY, MOST_IN_A_FIELD = 256, 2048, 1024
"""So many characters have room in the parts of a post: it takes 6000 in all."""


def plain(text: str) -> str:
    """The text with nothing in it that Discord would take for markup."""
    return re.sub(r"([\\*_~`|>#\[\]@<])", r"\\\1", text)


def joined(lines: list[str], most: int = MOST_IN_A_FIELD) -> str:
    """As many lines as have room."""
    while len("\n".join(lines)) > most:
        lines = [*lines[:-2], "…"]
    return "\n".join(lines)


def post_of(fight: affray.Fight) -> dict[str, Any]:
    """The post, as Discord's webhooks take it, made of nothing but the players' recap."""
    recap = fight.recap(for_players=True)
    title, *sections = fight.recap_sections(for_players=True)
    fields = [
        {"name": section.heading, "value": joined([f"- {plain(line)}" for line in section.lines])}
        for section in sections
        if section.heading == "Turning points"
    ]
    deeds = [
        f"**{plain(person.name)}** dealt {person.dealt}, took {person.taken}"
        for person in recap.people
        if person.is_named and (person.dealt or person.taken)
    ]
    if deeds:
        fields.append({"name": "Who did what", "value": joined(deeds)})
    embed: dict[str, Any] = {
        "title": plain(title.heading)[:MOST_IN_A_TITLE],
        "description": joined([plain(line) for line in title.lines], MOST_IN_A_SUMMARY),
        "fields": fields,
    }
    if recap.began:
        embed["timestamp"] = recap.began.isoformat()
    return {"embeds": [embed], "allowed_mentions": {"parse": []}}  # no name rings a bell


def send(post: dict[str, Any], webhook: str) -> None:
    """Give the post to Discord. Raises OSError when it isn't taken."""
    request = urllib.request.Request(
        webhook,
        json.dumps(post).encode(),
        {"Content-Type": "application/json", "User-Agent": f"affray/{affray.__version__}"},
    )
    with urllib.request.urlopen(request, timeout=10):
        pass


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Post a fight's recap to Discord.")
    parser.add_argument("file", help="the encounter's file")
    parser.add_argument("--dry-run", action="store_true", help="print the post, send nothing")
    options = parser.parse_args(words)
    try:
        post = post_of(affray.view(options.file))
    except (affray.LogError, affray.Refused) as error:
        parser.error(str(error))
    if options.dry_run:
        print(json.dumps(post, indent=2, ensure_ascii=False))
        return
    webhook = os.environ.get("DISCORD_WEBHOOK", "")
    if not webhook.startswith("https://"):
        parser.error("DISCORD_WEBHOOK must be the address of a webhook: it is a secret")
    try:
        send(post, webhook)
    except urllib.error.HTTPError as error:
        parser.exit(1, f"Discord has not taken it: {error.code} {error.reason}\n")
    except OSError as error:
        parser.exit(1, f"Discord can't be reached: {error}\n")


if __name__ == "__main__":
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read it, such as `head`, has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
