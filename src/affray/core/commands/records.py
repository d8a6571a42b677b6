"""Commands that write something down: note, setting, remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.commands.people import take_out
from affray.core.effects import end
from affray.core.events import Chose, Noted
from affray.core.refusal import Refused, listed
from affray.core.ruleset import Verb

if TYPE_CHECKING:
    from affray.core.decide import Context
    from affray.core.words import Words


def _note(ctx: Context, words: Words) -> None:
    about = ""
    if words.take("on"):
        about = words.combatant("whom the note is about").id
    text = words.rest().strip()
    if not text:
        raise words.refuse("expected the text of the note")
    ctx.emit(Noted(text, about))
    ctx.text = f"Note on {ctx.state.name(about)}: {text}" if about else f"Note: {text}"


def _setting(ctx: Context, words: Words) -> None:
    known = ctx.ruleset.settings
    if not known:
        raise Refused(f"{ctx.ruleset.name} has no settings")
    name = words.choice("a setting", known)
    value = words.choice(f"a value for {name}", known[name])
    ctx.emit(Chose(name, "" if value == known[name][0] else value))
    ctx.text = f"Setting {name}: {value}"


def _remove(ctx: Context, words: Words) -> None:
    who = words.combatant()
    if words.done:
        words.offered.extend(effect.name for effect in who.effects)
        take_out(ctx, [who])
        return
    if not who.effects:
        raise Refused(f"{who.name} has no effect to remove; `leave {who.id}` takes them out")
    ids = [e.id for e in who.effects]
    word = words.choice("an effect", dict.fromkeys([*ids, *(e.name for e in who.effects)]))
    effect = who.effect(word) or who.named(word)
    if effect is None:
        raise words.refuse(f"{who.name} has {listed(ids, 'and')}", ids)
    end(ctx, who.id, effect.id, "taken away")
    ctx.ruleset.reconcile(ctx, who.id)
    ctx.text = f"{who.name} is no longer {effect.name}"


RECORD_VERBS = (
    Verb("note", 'note [on NAME] "TEXT"', "writes something into the log", _note),
    Verb("setting", "setting NAME VALUE", "chooses a house rule of this fight", _setting),
    Verb(
        "remove", "remove NAME [EFFECT]", "takes an effect away; without one, somebody out", _remove
    ),
)
