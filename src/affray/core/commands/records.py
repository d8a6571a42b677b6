"""Commands that write something down: note, read-aloud, setting, remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.commands.people import read_anybody, take_out
from affray.core.heart import dynamic
from affray.core.heart.effects import end
from affray.core.heart.events import Chose, Noted
from affray.core.heart.own_effects import keys_of
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.language.clauses import names, they
from affray.core.language.refusal import Refused, listed
from affray.core.language.who import people
from affray.core.rules.ruleset import Verb
from affray.core.telling.public.known import SETTINGS

if TYPE_CHECKING:
    from affray.core.heart.decide import Context
    from affray.core.language.words import Words


def _note(ctx: Context, words: Words) -> None:
    about = read_anybody(words, "whom the note is about") if words.take("on") else []
    text = words.rest().strip()
    if not text:
        raise words.refuse("expected the text of the note")
    ctx.emit(*([Noted(text, who.id) for who in about] or [Noted(text)]))
    ctx.text = f"Note on {names(about)}: {text}" if about else f"Note: {text}"


def _read_aloud(ctx: Context, words: Words) -> None:
    text = words.rest().strip()
    if not text:
        raise words.refuse("expected the text that is to be read to the players")
    ctx.emit(Noted(text, aloud=True))
    ctx.text = f"To be read aloud: {text}"


def _setting(ctx: Context, words: Words) -> None:
    known = {**ctx.ruleset.settings, **dynamic.SETTINGS, **SETTINGS}
    name = words.choice("a setting", known)
    value = words.choice(f"a value for {name}", known[name])
    ctx.emit(Chose(name, "" if value == known[name][0] else value))
    ctx.text = f"Setting {name}: {value}"


def _remove(ctx: Context, words: Words) -> None:
    who_said = words.upcoming
    found = read_anybody(words)
    if words.done:
        words.offered.extend(effect.id for who in found for effect in who.effects)
        take_out(ctx, found)
        return
    keys = dict.fromkeys(key for who in found for e in who.effects for key in keys_of(e))
    if not keys:
        have = they(found, "has", "have")
        raise Refused(f"{have} no effect to remove; `leave` takes out of the fight")
    word = words.choice("an effect", keys)
    taken = [(who, _effect_called(who, word)) for who in _bearers(ctx.state, who_said, word)]
    for who, effect in taken:
        end(ctx, who.id, effect.id, "taken away")
        ctx.ruleset.set_by_hand(ctx, who.id)
    ctx.text = _no_longer([who for who, _ in taken], taken[0][1])


def _no_longer(freed: list[Combatant], effect: Effect) -> str:
    """`Mira is no longer prone`, `Mira and Odo no longer have resistance 5 fire`."""
    if not _is_had(effect):
        return f"{they(freed, 'is', 'are')} no longer {effect.name}"
    much = (effect.name, effect.dice or str(effect.amount or ""), effect.type)
    return f"{they(freed, 'no longer has', 'no longer have')} {' '.join(filter(None, much))}"


def _is_had(effect: Effect) -> bool:
    """Whether it is something that one has, such as a resistance, and not what one is."""
    gives = effect.modifiers or effect.advantage or effect.disadvantage
    is_of_its_kind = effect.name == effect.kind and bool(gives or effect.amount or effect.dice)
    return is_of_its_kind or bool(effect.type and not effect.amount and not effect.dice)


def _bearers(state: Encounter, who: str, word: str) -> list[Combatant]:
    """Those of `who` from whom an effect is taken: of `foes` and the like, whoever has it."""
    has = [c for c in state.in_order() if any(word in keys_of(e) for e in c.effects)]
    return people(state, who, among=has)


def _effect_called(who: Combatant, word: str) -> Effect:
    """The effect of that id, else the first of that name. Raises Refused, naming what is there."""
    named = (e for e in who.effects if e.name.casefold() == word)
    found = who.effect(word) or next(named, None)
    if found is None:
        have = listed([e.id for e in who.effects], "and") or "none at all"
        raise Refused(f"{who.name} has no effect {word!r} to remove, but {have}")
    return found


RECORD_VERBS = (
    Verb("note", 'note [on NAME[,NAME]] "TEXT"', "writes something into the log", _note),
    Verb("read-aloud", 'read-aloud "TEXT"', "keeps a text to be read to the players", _read_aloud),
    Verb(
        "setting",
        "setting NAME VALUE",
        "chooses a house rule of this fight, or what players see",
        _setting,
    ),
    Verb(
        "remove",
        "remove NAME[,NAME] [EFFECT]",
        "takes an effect away; without one, somebody out",
        _remove,
    ),
)
