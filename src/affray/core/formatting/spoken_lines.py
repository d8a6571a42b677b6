"""The fight in sentences for the ear: what happened, whose turn it is, what waits, a card, the
order.

`edge_line` announces a turn in at most ten words; `entry_lines` describes an entry. All are plain
text: numbers, signs and dice of pieces become words; typed text stays unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from affray.core.dice import name_of_dice
from affray.core.engine import durations, turns
from affray.core.engine.effects import (
    active_effects,
    effect_name,
    effect_row,
    independent_effects,
)
from affray.core.engine.events import AnyEvent, Began, NoteAdded, Rolled, RoundStarted
from affray.core.engine.history import Entry, History
from affray.core.engine.state import Combatant, Effect, Encounter, Track
from affray.core.engine.turn_order import current_turn_label, row_label
from affray.core.formatting.effects import (
    bracket_text,
    brief_words,
    effect_by_note,
    effect_in_full,
    effect_words,
    other_stat_lines,
    possessive,
    until_in_words,
)
from affray.core.formatting.log_lines import (
    Told,
    differences,
    is_only_turns,
    read_aloud_texts,
    tell_aloud,
    without_turn,
)
from affray.core.formatting.media import (
    SPOKEN,
    TIMES,
    Notation,
    number_aloud,
    prose_aloud,
    signed_aloud,
    without_marks,
)
from affray.core.formatting.pieces import format_clock, outcome_of
from affray.core.formatting.safe_text import to_one_line
from affray.core.parser.declarations import term_usages
from affray.core.parser.errors import join_or
from affray.core.rules.ruleset import (
    AvailableAction,
    Command,
    PendingDecision,
    Ruleset,
    all_options,
)
from affray.core.rules.tables import Tables, TrackRow

# -------------------------------------------------------------------------------------------------
# What happened


def sentence(text: str) -> str:
    """Return a text as a sentence on one line, with a capital and a full stop; empty for none."""
    text = to_one_line(text)
    end = "" if text.endswith((".", "!", "?", ":", '."', '!"', '?"')) else "."
    return f"{text[:1].upper()}{text[1:]}{end}" if text else ""


def entry_lines(entry: Entry, before: Encounter, after: Encounter, ruleset: Ruleset) -> list[str]:
    """Describe an entry: its title, then each outcome, then what is left of its actor's turn.

    If the entry leads to a new turn, it leaves out what `edge_line` says about that.
    """
    if entry.to is not None:
        different = differences(before, ruleset.tables, after, SPOKEN)
        lines = [without_marks(entry.title), *different[:MOST_DIFFERENT]]
        if len(different) > MOST_DIFFERENT:
            lines.append(f"{len(different) - MOST_DIFFERENT} more are different; order tells all")
        return [*map(sentence, lines)]
    it = tell_aloud(entry, before, ruleset.tables)
    title, *pieces = _spoken(it, entry)
    hidden: tuple[type[AnyEvent], ...] = ()  # that the words on the turn have already
    if (after.round, after.turn) != (before.round, before.turn):
        hidden = (RoundStarted,)
        title = "" if is_only_turns(title, before, after) else without_turn(title, after)
    if any(isinstance(event, Began) for event in entry.events):
        hidden += (Rolled,)  # `initiative` tells what fell
    texts = [
        text
        for text, piece in zip(pieces, it.pieces, strict=True)
        if not isinstance(piece.event, hidden)
    ]
    first = it.pieces[0] if it.pieces else None
    if first is not None and first.is_only_end and texts:
        title = f"{title} {texts.pop(0)}"
    lines = [title, *turns.missed(ruleset, before, after), *texts]
    lines.append(left_after(entry, before, after, ruleset.tables))
    return [line for line in map(sentence, lines) if line]


def _spoken(it: Told, entry: Entry) -> list[str]:
    """The title and each piece for the ear: of a roll no outcome that the title has; and without
    the program's marks, but for what somebody typed."""
    events = [event for event in entry.events if isinstance(event, NoteAdded)]
    typed = {event.text for event in events if event.text in entry.command}
    lines = [it.title if typed else without_marks(it.title)]
    for piece in it.pieces:
        event = piece.event
        if isinstance(event, Rolled) and f" {outcome_of(event)} " in f"{it.title} ":
            piece = piece._replace(words=piece.words[:1])
        text = piece.text(it.names, SPOKEN)
        is_typed = isinstance(event, NoteAdded) and event.text in typed
        lines.append(text if is_typed else without_marks(text))
    return lines


MOST_DIFFERENT = 6
"""The most differences read after a move through the log."""


def left_after(entry: Entry, before: Encounter, after: Encounter, tables: Tables) -> str:
    """Say what is left of the actor's turn, if the entry cost some of it; while an action has
    attacks left, these."""
    actor, was = after.find(entry.by), before.find(entry.by)
    if actor is None or was is None or not after.takes_turn(actor.id):
        return ""
    left, paid = left_to_act(tables, actor), _paid_with(tables, actor)
    if not left and len(paid) == 1 and paid[0][0].shown == "box":
        return ""  # who has one action knows that it is used
    if left == left_to_act(tables, was):
        return ""
    attacks = _within_action(tables, actor, paid=True)
    return f"left: {', '.join(attacks)}" if attacks else left_in_words(tables, actor)


def left_in_words(tables: Tables, combatant: Combatant) -> str:
    """List what a turn can still be paid with: `2 A.P.`, or `left: move, swift`; `no A.P.`, or `no
    actions`, as a reaction may still be possible."""
    paid = _paid_with(tables, combatant)
    left = left_to_act(tables, combatant)
    is_counted = len(paid) == 1 and paid[0][0].shown != "box"
    if left:
        return left if is_counted else f"left: {left}"
    return f"no {'actions' if paid[1:] else paid[0][0].for_the_ear}" if paid else ""


def left_to_act(tables: Tables, combatant: Combatant) -> str:
    """List what a turn can still be paid with: `2 AP`, or `move, swift`; empty for nothing."""
    left = [
        rule.for_the_ear if rule.shown == "box" else f"{track.value} {rule.for_the_ear}"
        for rule, track in _paid_with(tables, combatant)
        if track.value > 0
    ]
    return ", ".join([*left, *_within_action(tables, combatant)])


def _within_action(tables: Tables, combatant: Combatant, paid: bool = False) -> list[str]:
    """The numbers that are open for a moment: `attacks 1`, `slot this turn 1`; only those left of
    an action that is `paid`."""
    return [
        f"{rule.for_the_ear.removesuffix(' left')} {track.value}"
        for name, rule in tables.tracks.items()
        if rule.passing and rule.counts == "left" and (track := combatant.tracks.get(name))
        if track.value > 0 and (rule.label.endswith(" left") or not paid)
    ]


def _paid_with(tables: Tables, combatant: Combatant) -> list[tuple[TrackRow, Track]]:
    """The tracks with which a turn is paid, those that everybody sees if there are any."""
    rows = [
        (rule, combatant.tracks[name])
        for name, rule in tables.tracks.items()
        if rule.spent and name in combatant.tracks
    ]
    return [row for row in rows if row[0].everybody] or rows


# -------------------------------------------------------------------------------------------------
# Who is up


def edge_line(ruleset: Ruleset, state: Encounter, before: Encounter | None = None) -> str:
    """Announce whose turn it is: `Round 3, Ilse, 17 of 22, 2 AP; next Silt Hound 2.`

    At most ten words, a name counted as one: the round, HP or life (with the death saves of the
    dying), points to act with, and who comes next. After the state `before` the round comes only
    as it begins, HP only if somebody is hurt, and points only if some are gone: `Ilse, 17 of 22;
    next Silt Hound 2.`
    """
    if not state.in_combat:
        return "The fight is over." if state.phase == "ended" else "The fight has not begun."
    up, is_first = state.up, before is None or not before.in_combat
    parts = [f"round {state.round}"] if before is None or before.round != state.round else []
    parts.append(current_turn_label(state, TIMES) if state.turn else "it is nobody's turn")
    if up is not None and not state.acting:
        if before is None or up.life != "up" or is_hurt(ruleset.tables, up):
            parts.append(health(ruleset.tables, up))
            parts += _of_its_life(ruleset.tables, up)
        parts += [
            f"{track.value} {rule.for_the_ear}"
            for rule, track in _paid_with(ruleset.tables, up)[:1]
            if rule.shown != "box" and up.life == "up"
            if is_first or track.value != track.max
        ]
    following = turns.upcoming_turns(state, 1)
    after = f"; next {row_label(state, following[0], TIMES)}" if following else ""
    return sentence(f"{', '.join(filter(None, parts))}{after}")


def is_hurt(tables: Tables, combatant: Combatant) -> bool:
    """True if somebody has less HP than they may have; never where there is no such number."""
    left = tables.health_of(combatant)
    return left is not None and left.max is not None and left.value < left.max


def health(tables: Tables, combatant: Combatant) -> str:
    """Return the health as `17 of 22`, or in its place the life of somebody who is not up."""
    name = tables.health
    rule, track = tables.track(name), combatant.tracks.get(name)
    if combatant.life != "up":
        return combatant.life
    if track is None:
        return ""
    if rule.counts == "marked":
        return track_in_words(rule, track)
    value = number_aloud(track.value)
    return f"{value} {rule.for_the_ear}" if track.max is None else f"{value} of {track.max}"


def bearing(ruleset: Ruleset, state: Encounter) -> list[str]:
    """List what matters for the current turn, after `edge_line`, as parts of sentences: tracks,
    then effects."""
    lines = ["hidden from the players"] if state.up is not None and state.up.hidden else []
    alone = len(state.taking_turn()) == 1
    for combatant in state.all_up():
        worn = _worn(ruleset.tables, combatant, brief=True)
        lasting = _lasting(ruleset.tables, combatant, brief=True)
        if alone:
            lines += [worn, lasting]
        elif combatant.life == "up":
            has = "; ".join(filter(None, (worn, lasting)))
            if has or is_hurt(ruleset.tables, combatant):
                whose = f"{combatant.name}, {health(ruleset.tables, combatant)}"
                lines.append(f"{whose}: {has}" if has else whose)
    return [line for line in lines if line]


def _worn(tables: Tables, combatant: Combatant, is_up: bool = True, brief: bool = False) -> str:
    """The tracks seen of everybody that are not as a fight begins: `fatigue 2 of 5`; in brief
    `fatigue 2`, up to the last."""
    boxes = [row for row in _paid_with(tables, combatant) if row[0].shown == "box"]
    parts = []
    if is_up and combatant.life == "up" and any(not track.value for _, track in boxes):
        parts.append(left_in_words(tables, combatant))
    for name, rule in tables.tracks.items():
        track = combatant.tracks.get(name)
        if track is None or not rule.everybody or rule.spent or name == tables.health:
            continue
        if rule.when not in (None, combatant.life) or (rule.shown == "die" and not track.max):
            continue
        if brief and rule.when:
            continue  # `edge_line` has it
        is_usual = track.value == (0 if rule.counts == "marked" or track.max is None else track.max)
        if not is_usual:
            is_last = not brief or track.value == track.max
            parts.append(track_in_words(rule, track if is_last else replace(track, max=None)))
    return ", ".join(parts)


def _of_its_life(tables: Tables, combatant: Combatant) -> list[str]:
    """The tracks that only somebody of this life has, without their ends: `failures 2`."""
    return [
        track_in_words(rule, replace(track, max=None))
        for name, rule in tables.tracks.items()
        if rule.when == combatant.life and (track := combatant.tracks.get(name)) and track.value
    ]


def track_in_words(rule: TrackRow, track: Track) -> str:
    """`fatigue 2 of 5`, `temporary HP 5`, `no reaction`, `spellburn die d6`; without a unit."""
    name = rule.for_the_ear
    if rule.shown == "die":
        return f"{name} d{track.value}" if track.value else f"no {name}"
    if rule.counts == "left" and not track.value:
        return f"no {name}"
    if rule.shown in ("box", "badge") and track.value == 1:
        return name
    value = number_aloud(track.value)
    return f"{name} {value}" if track.max is None else f"{name} {value} of {track.max}"


def comes_with_falling(tables: Tables, combatant: Combatant) -> set[str]:
    """The names of effects that go without saying of somebody who is down; none of who is up."""
    if combatant.life == "up":
        return set()
    rest: list[str] = [combatant.life, "unconscious"]
    rest += [each.name for each in combatant.effects if each.because == combatant.life]
    found = set[str]()
    while rest:
        name = rest.pop()
        found.add(name)
        row = effect_row(tables, name)
        rest += {*row.brings, *row.implies} - found
    return found


def _effects_to_tell(tables: Tables, combatant: Combatant) -> list[Effect]:
    """The effects on a combatant; of somebody who is down, without those that come with that."""
    down = comes_with_falling(tables, combatant)
    return [each for each in named_effects(tables, combatant) if each.name not in down]


def _lasting(tables: Tables, combatant: Combatant, brief: bool = False) -> str:
    """The effects on a combatant, by name: `weakened, prone`; in brief without amounts of those
    named by their ability."""
    words = brief_words if brief else effect_words
    names = [
        effect_name(tables, " ".join(filter(None, words(each, signed_aloud))))
        for each in _effects_to_tell(tables, combatant)
    ]
    return ", ".join(dict.fromkeys(names))


def named_effects(tables: Tables, combatant: Combatant) -> list[Effect]:
    """The effects of a combatant that no other brings, each by the name that the GM gave it."""
    return [effect_by_note(tables, effect) for effect in independent_effects(combatant)]


def names_of_effect(tables: Tables, effect: Effect) -> set[str]:
    """The words for an effect in questions: its name, its kind, its name from the GM."""
    return {effect.name, effect.kind, effect_words(effect_by_note(tables, effect))[0]}


# -------------------------------------------------------------------------------------------------
# What waits


def answers_line(asked: PendingDecision, roll: str = "") -> str:
    """List the answers to a decision; one of several words that doesn't begin with its key comes
    after the key, and a verb that several have is said once: `1 for fry Kindle, 2 Thunder Jar`. A
    die stands for the outcomes that it may have, with the word that rolls it."""
    if asked.die and roll:
        rolls = [choice.label for choice in asked.choices if roll in choice.label.split()]
        return sentence(f"Answer: {join_or([f'the {name_of_dice(asked.thrown)}', *rolls[:1]])}")
    answers, before = list[str](), ""
    for choice in asked.choices:
        verb, _, what = choice.label.partition(" ")
        if choice.label.casefold().startswith(choice.key) or not what:
            answers.append(choice.label)
        elif what and verb == before:
            answers[-1] += f", {choice.key} {what}"
        else:
            answers.append(f"{choice.key} for {choice.label}")
        before = verb
    answers += [f"or the number on the {name_of_dice(asked.thrown)}"] if asked.die else []
    return sentence(f"Answer: {'; '.join(answers)}")


# -------------------------------------------------------------------------------------------------
# Questions: a card, the order, effects, possible acts


def card_lines(ruleset: Ruleset, state: Encounter, combatant: Combatant) -> list[str]:
    """Tell all about one combatant: life, tracks, totals, effects with their ends, the sheet."""
    tables, kind = ruleset.tables, {"pc": "character"}.get(combatant.kind, combatant.kind)
    tracks = [
        track_in_words(rule, combatant.tracks[name])
        for name, rule in tables.tracks.items()
        if name in combatant.tracks
        and (rule.shown != "number" or combatant.tracks[name].value)
        and not (rule.passing and not combatant.tracks[name].value)
        and rule.when in (None, combatant.life)
        and (not rule.under or combatant.named(rule.under))
    ]
    numbers, others, rest = _sheet(ruleset, state, combatant)
    hidden = ["hidden from the players"] if combatant.hidden else []
    lines = [
        ", ".join([combatant.name, kind, combatant.life, *hidden]),
        ", ".join(tracks),
        ", ".join(numbers),
        "; ".join(others),
        *rest,
        *_effects_with_ends(ruleset, state, combatant),
        *combatant.notes,
        combatant.text,
    ]
    return [line for line in map(sentence, lines) if line]


def sheet_parts(ruleset: Ruleset, state: Encounter, combatant: Combatant) -> list[str]:
    """List what a sheet has, each part by itself: `AC 15`, `Immune fire`, `Attacks ...`."""
    return [part for parts in _sheet(ruleset, state, combatant) for part in parts]


def _sheet(
    ruleset: Ruleset, state: Encounter, combatant: Combatant
) -> tuple[list[str], list[str], list[str]]:
    """The totals, the other numbers, and what has a line of its own: attacks, spells, powers."""
    tables = ruleset.tables
    totals = ruleset.numbers.totals(tables, state, combatant)
    numbers = [
        rule.for_the_ear(value, signed_aloud)
        for name, value in totals.items()
        if (rule := tables.total(name)).whole or (rule.tells(value) and value)
    ]
    how = Notation(SPOKEN, tables.spoken)
    labels = ruleset.sheet.labels(state, combatant, how)
    rest = {stat: value for stat, value in combatant.stats.items() if stat not in labels}
    own = ruleset.actions.own_options(tables, state, combatant, how)
    shown = {*totals, *(option.name for option in own)}
    lines = [text for stat, text in labels.items() if text and stat in combatant.stats]
    for option in own:
        text = option.text or option.brief
        cost = _cost(tables, option, but=f"{option.name} {text}".casefold())
        lines.append(f"{', '.join(filter(None, (option.name, cost)))}: {text}")
    return numbers, [*other_stat_lines(tables, rest, shown, how)], lines


def _effects_with_ends(ruleset: Ruleset, state: Encounter, combatant: Combatant) -> Iterator[str]:
    """`weakened (check −2) until the end of their next turn`"""
    implied = {
        name: effect
        for name, effect in active_effects(ruleset.tables, state, combatant).items()
        if effect.because
    }
    for effect in named_effects(ruleset.tables, combatant):
        more = bracket_text(implied, combatant, effect)
        end = until_in_words(state, combatant, effect.until, ruleset.tables.spoken)
        yield f"{effect_in_full(effect, signed_aloud)}{f' ({more})' if more else ''} {end}"


def effect_with_all(
    ruleset: Ruleset, state: Encounter, combatant: Combatant, effect: Effect
) -> str:
    """`restrained, from Weir Ogre, until freed`; `concentrating, Fog Wall, until the end ...`"""
    name = effect_in_full(effect_by_note(ruleset.tables, effect), signed_aloud)
    source = state.find(effect.source) if effect.source != combatant.id else None
    parts = [name, "" if effect.note in name else effect.note]
    parts += [f"from {source.name}"] if source and source.name not in effect.note else []
    end = until_in_words(state, combatant, effect.until, ruleset.tables.spoken)
    text = ", ".join(filter(None, parts))
    return f"{text}{',' if text != name and end else ''} {end}".rstrip()


def standing(ruleset: Ruleset, state: Encounter, combatant: Combatant, *numbers: str) -> str:
    """Describe somebody's state: life or HP, these numbers, changed tracks, effects by name."""
    slot, is_up = state.slot(combatant.id), state.takes_turn(combatant.id)
    marks = [combatant.name]
    marks += [f"{possessive(combatant)} turn"] if is_up else []
    marks += ["delays"] if slot is not None and slot.held else []
    marks += ["hidden"] if combatant.hidden else []
    marks += [health(ruleset.tables, combatant), *numbers]
    notes = []
    if not combatant.is_out:
        notes = [_worn(ruleset.tables, combatant, is_up), _lasting(ruleset.tables, combatant)]
    return "; ".join(filter(None, [", ".join(filter(None, marks)), *notes]))


def order_lines(ruleset: Ruleset, state: Encounter) -> list[str]:
    """Tell the order, somebody a line, with the number to type: `1, Ilse, 17 of 22; weakened.` The
    dead and the defeated have none."""
    return [
        sentence(f"{number}, {standing(ruleset, state, combatant)}")
        for number, combatant in state.by_number().items()
        if not combatant.is_out
    ] or ["Nobody is here yet."]


def timer_lines(ruleset: Ruleset, state: Encounter) -> list[str]:
    """List effects on those in the fight, the soonest to end first, one line for all who have the
    same; then clocks, waves, and the GM's tracks."""
    place, spoken = durations.end_positions(state), ruleset.tables.spoken
    rows = [
        (place(effect.until), combatant, effect)
        for combatant in state.combatants
        if not combatant.is_out
        for effect in _effects_to_tell(ruleset.tables, combatant)
    ]
    bearers: dict[str, list[str]] = {}
    for _, combatant, effect in sorted(rows, key=lambda row: row[0]):
        end = until_in_words(state, combatant, effect.until, spoken)
        what = f"{effect_in_full(effect, signed_aloud)} {end}"
        bearers.setdefault(what, []).append(combatant.name)
    lines = [f"{join_or(names, 'and')}: {what}" for what, names in bearers.items()]
    lines += [f"{clock.name}: {format_clock(clock)}" for clock in state.clocks]
    lines += wave_lines(state)
    lines += [
        f"{rule.whose}: {track_in_words(rule, track)}"
        for name, track in state.tracks.items()
        if track.value and (rule := ruleset.tables.track(name))
    ]
    return [sentence(line) for line in dict.fromkeys(lines)] or ["Nothing is running."]


def wave_lines(state: Encounter) -> list[str]:
    """The waves that are still to come, and who is in each."""
    return [f"wave {wave}: {', '.join(waiting)}" for wave, waiting in sorted(state.waves.items())]


def action_lines(
    ruleset: Ruleset, state: Encounter, combatant: Combatant, only_now: bool = False
) -> list[str]:
    """Tell what somebody can do now, by cost, then what they can't, by reason; `only_now` leaves
    out the second."""
    options = all_options(ruleset, state, combatant)
    groups: dict[str, dict[str, None]] = {}
    for option in sorted(options, key=lambda option: not option.available):
        head = _cost(ruleset.tables, option)
        if option.reason:
            head = f"not now, {prose_aloud(option.reason, ruleset.tables.spoken)}"
        if option.available or not only_now:
            groups.setdefault(head, {})[option.called(ruleset.tables)] = None
    return [sentence(f"{head}: {', '.join(names)}") for head, names in groups.items()]


def _cost(tables: Tables, option: AvailableAction, but: str = "") -> str:
    """The price of an option, `but` for what these words name already; `free` for none."""
    rows = [(tables.track(name), name, by) for name, by in option.cost.items()]
    paid = [_price(r, by) for r, name, by in rows if not (name in but or r.for_the_ear in but)]
    return " and ".join(paid) or ("" if option.cost or "free" in but else "free")


def _price(rule: TrackRow, by: int) -> str:
    if by == 1 and rule.shown in ("box", "badge"):
        return rule.for_the_ear
    return f"{by} {rule.counted_aloud(by)}"


def log_lines(history: History, ruleset: Ruleset, count: int) -> list[str]:
    """Tell the last entries in force, oldest first, each in one line behind its number."""
    lines = []
    for seq in history.path[-count:]:
        entry = history.entries[seq]
        it = tell_aloud(entry, history.before(seq), ruleset.tables)
        lines.append(sentence(f"{seq}: {'; '.join(filter(None, _spoken(it, entry)))}"))
    return lines or ["Nothing has happened yet."]


def note_lines(history: History) -> list[str]:
    """Tell the texts to be read to the players, then the GM's own notes on the fight and on those
    in it."""
    for_players, notes = read_aloud_texts(history)
    lines = [f"to read aloud: {note.text}" for note in for_players]
    lines += [f"note: {note.text}" for note in notes]
    lines += [f"on {who.name}: {note}" for who in history.state.in_order() for note in who.notes]
    return [*map(sentence, lines)] or ["No note yet."]


def setting_lines(ruleset: Ruleset, state: Encounter, name: str = "") -> list[str]:
    """Give a setting's value, its possible values and its purpose; without a name, value and
    possible values of each. Empty for a name that is no setting."""
    lines = []
    for setting in ruleset.all_settings.values():
        if name.casefold() in ("", setting.name):
            may = list(setting.values)
            if setting.numbers is not None:
                may.append(f"any number from {setting.numbers[0]} to {setting.numbers[1]}")
            now = setting.value(state)
            lines.append(sentence(f"{setting.name} is {now}; it may be {join_or(may)}"))
            spoken = ruleset.tables.spoken
            lines += [sentence(prose_aloud(setting.text, spoken))] if name else []
    return lines


TERMS = "WORDS"
"""The name in usages for words after a die: `adv`, `plus 2`."""


def term_lines(commands: Mapping[str, Command], word: str) -> list[str]:
    """List the commands that take a word after the die, such as `adv`; for `words` all such words,
    by the commands whose usage has WORDS. Empty for any other word."""
    asks_all, found = word.upper() == TERMS, dict[str, dict[str, None]]()
    for name, command in commands.items():
        for args_type in filter(None, (command.args_type, *command.subcommands.values())):
            usages = term_usages(args_type, TERMS if asks_all else "")
            usage = usages.get(word.casefold(), "")
            terms = ", ".join(dict.fromkeys(usages.values())) if asks_all else usage
            if usage in usages:  # a word alone, perhaps with synonyms
                terms = join_or(each for each, its in usages.items() if its == usage)
            if terms:
                found.setdefault(terms.replace("|", " or "), {})[name] = None
    return [sentence(f"{terms}: with {join_or(names, 'and')}") for terms, names in found.items()]
