"""Questions in a game master's own words, each with what must be heard."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.fights import play as fights
from tests.play.table import answers, quick_fight

from affray.play.reader import Reader
from affray.play.vocabulary import ASKS, FILLERS, SUBJECTS
from affray.store.open_encounter import OpenEncounter

SLUICE = "drowned-vale/encounters/the-sluice-gate.toml"
DRAKE = "ash-road/encounters/the-bed-of-the-drake.toml"
KILN = "kiln-road/encounters/the-ninth-kiln.toml"
GALE = "salt-stair/encounters/the-bell-in-the-gale.toml"
GLASS = "winter-term/encounters/the-frozen-conservatory.toml"
FERRY = "night-ferry/encounters/mid-river.toml"

HEARD = {
    SLUICE: {
        "does the ogre act before Oswin": "First Weir Ogre, then Oswin.",
        "is the strangler restraining somebody": "Restrained: Pell and Oswin.",
        "who can still act": "Still to act: 6; all tells each.",
        "who is about to die": "Pell: dying.",
        "which of us has a reaction left": "Reaction: Pell, Tamsin and Ilse.",
        "how tough is the weir ogre": "Weir Ogre: HP 34 of 46.",
        "did Pell hit anything": "Pell hides, weak.",
        "who hit Pell": "77, minus 4, 12 bludgeoning, minus 3 AC (Weir Ogre strikes Pell, strong "
        "12 bludgeoning).",
        "which enemies haven't gone yet": "Still to act: 5; all tells each.",
        "what does restrained mean": "Restrained, condition: Held: can't move or spend action "
        "points until it marks 3 fatigue on its own turn. All tells the rest.",
        "is the ogre hurt": "Yes. Weir Ogre, 34 of 46.",
        "is Ilse ok?": "Ilse, their turn, 17 of 22; concentrating, waterlogged.",
        "how many HP does Oswin have left": "Oswin: HP 34 of 34.",
        "how many hit points has the ogre got": "Weir Ogre: HP 34 of 46.",
        "who goes after Pell": "After Pell: Tamsin.",
        "who's next": "Round 3, Ilse, 17 of 22, 2 A.P.; next Silt Hound 2.",
        "when is it Oswin's turn": "Oswin, 10: in 3 turns, after Weir Ogre.",
        "can Ilse still react": "Yes: Opportunity Attack and Retaliate.",
        "can the ogre move": "No: it is Ilse's turn.",
        "does Oswin have a reaction": "No. Oswin: no reaction.",
        "how hurt is the weir ogre": "Weir Ogre, 34 of 46.",
        "who can't act": "Can't act: Pell and Oswin.",
        "who is holding Oswin": "Oswin: restrained, from Reed Strangler, until freed.",
        "is Pell dead": "No. Pell, dying.",
        "which foes are hurt": "Hurt: Tithe Taker 2, Weir Ogre and Reed Strangler.",
        "who is bloodied": "Bloodied: Pell.",
        "how many foes are left": "Up: 6 of 6; all tells each.",
        "who is weakest": "Pell: dying.",
        "who's got the highest AC": "Oswin: AC 6.",
        "what's Tamsin’s AC": "Tamsin: AC 5.",
        "why is Tamsin's AC 3": "Plus 2 protected, entry 32, from Ilse, until Ilse stops "
        "concentrating.",
        "is Ilse concentrating": "Yes. Ilse: concentrating, Fog Wall, until the end of their next "
        "turn.",
        "when does frightened end": "Weir Ogre: frightened, from Ilse, until the end of its next "
        "turn.",
        "how long is the hound frightened": "None is running.",
        "how many action points do I have": "Ilse: A.P. 2 of 3.",
        "what is the ogre vulnerable to": "Weir Ogre: Vulnerable fire.",
        "what resists cold": "Weir Ogre: Resist cold.",
        "how fast are the hounds": "Silt Hound 2: Speed 40.",
        "what weapon has Pell": "Pell: Attacks gutting-knife, 1d6 slashing, agile; sling, 1d4 "
        "bludgeoning, agile, ranged.",
        "what does waterlogged do": "Waterlogged, condition: Boots full, sleeves heavy: minus 1 on "
        "every check and half speed, until 1 fatigue is marked to wring everything out.",
        "how do I undo": "Undo [N]: undoes the last command and everything that followed from it.",
        "what did I just do": "Ilse concentrates on Fog Wall.",
        "what did Oswin do": "Oswin strikes Tithe Taker 2, weak 9 bludgeoning, as readied.",
        "who has acted": "Have acted: Pell, Tamsin and Tithe Taker 2.",
        "how is everyone": "1 dying, 9 up, 5 hurt; all tells each.",
        "how is tithe": "Tithe Taker 2, 8 of 15; fatigue 1 of 4; doomed.",
        "tell me about the reed strangler": "Reed Strangler, 14 of 22, AC 1; exhaustion 1 of 2.",
    },
    DRAKE: {
        "did anyone crit": "Ash Ghoul 2 attacks Odo, crit.",
        "who missed": "Ash Ghoul 3 attacks Odo, miss.",
        "did Odo miss": "No.",
        "are any of the ghouls hurt": "Hurt: Ash Ghoul 1 and 3.",
        "how many ghouls are up": "Up: Ash Ghoul 1, 2 and 3.",
        "which spell slots are left for Mira": "Mira: slot this turn 1 of 1, level 1 slots 4 of "
        "4, level 2 slots 2 of 3, level 3 slots 2 of 2.",
        "on what is Mira concentrating": "Mira: not concentrating.",
        "how high is the drake's armour": "Cinder Drake: AC 15.",
        "what save does the breath need": "Cinder Drake: Ash Breath, action: recharge 5, save "
        "dexterity, 8d6 fire, dc 15, half.",
        "how often has Odo failed": "Odo: failures 0 of 3.",
        "what can the drake do on its turn": "Reaction: Opportunity Attack.",
        "how much damage has Mira dealt": "Mira, 6 damage.",
        "has the breath recharged": "No: expended until a d6 shows 5 or more.",
        "which monsters are still alive": "Up: Cinder Drake, Ash Ghoul 1, 2 and 3.",
        "who needs to save": "Odo is dying: death save. Answer: success; failure; roll; or the "
        "number on the d20.",
        "how many death saves has Odo": "Odo: failures 0 of 3, successes 1 of 3.",
        "is the drake prone": "Yes. Cinder Drake: prone until it stands.",
        "how many slots does Mira have": "Mira: slot this turn 1 of 1, level 1 slots 4 of 4, level "
        "2 slots 2 of 3, level 3 slots 2 of 2.",
        "what spells does Mira have": "Mira: Spells Cinder Bolt (cantrip), Furnace Breath (level "
        "3), Still as Glass (level 2).",
        "has Mira used her action": "Yes. Mira: no action.",
        "does the drake have its breath": "No: expended until a d6 shows 5 or more.",
        "does the drake have legendary resistance": "No. Cinder Drake: no legendary resistance.",
        "how many legendary actions are left": "Cinder Drake: legendary actions 2 of 2.",
        "is the drake immune to fire": "Cinder Drake: Immune fire.",
        "is Brannoc's reaction gone": "No. Brannoc: reaction.",
        "how many spell slots has Mira": "Mira: slot this turn 1 of 1, level 1 slots 4 of 4, level "
        "2 slots 2 of 3, level 3 slots 2 of 2.",
        "who has no action": "No action: Mira and Brannoc.",
        "what's left of my turn": "Left: action, bonus, slot this turn 1.",
        "who did the most damage": "Cinder Drake, 21 damage.",
        "is anyone down": "Down: Odo.",
        "how many hp does everyone have": "4 more; all tells each.",
    },
    KILN: {
        "can Hesper act": "Yes; left: standard.",
        "when is Maud up": "Maud, 10: in 9 turns, after Crockling 4.",
        "how is the party doing": "5 up, 1 dying, 4 hurt; all tells each.",
        "how long has Odo been dazed": "Odo: not dazed.",
        "which crockling is dead": "Dead: Crockling 2.",
        "which powers does Hesper have left": "Hesper: Two Down the Lane, Hamstring, Cut Out of "
        "the Herd.",
        "what is the potter's will": "Ninth Potter: Will 20.",
        "who has action points": "Action points: Hesper, Ninth Potter, Wick and Maud.",
        "who has saves to make": "Hesper saves against dazed.",
        "who marked the potter": "Ninth Potter: marked, by Odo, until the end of Odo's next turn.",
        "how many recoveries has Wick left": "Wick: recoveries 2 of 9.",
        "what does staggered mean": "Staggered, state: At half its HP or fewer (bloodied in other "
        "games). Some powers then work differently.",
        "who is left": "Up: 11 of 13; all tells each.",
        "how many crocklings are left": "Up: Crockling 1, 3 and 4.",
        "when does the kiln come to heat": "The kiln comes to heat: 2 rounds left.",
        "who is left to act": "Still to act: 11; all tells each.",
        "what is Hesper's reflex": "Hesper: Reflex 18.",
    },
    GALE: {
        "has Garrow acted": "No.",
        "what's the clock at": "Ring the bell: 2 of 3 done, 1 failed.",
        "what ends next": "Garrow: ongoing 1d6 cold until dried; 6 more, all tells each.",
        "is Corvane still alive": "Yes. Corvane, stable.",
        "which of my people are down": "Down: Corvane and Dorrit.",
        "how is everybody on our side": "8 up, 1 stable, 1 dying, 9 hurt; all tells each.",
        "did the abbot use his reaction": "No. The Abbot Below: reaction.",
        "is Corvane stable": "Yes. Corvane, stable.",
        "who is out": "Down: Corvane, Dorrit and Drowned Novice 2.",
        "which novices are hurt": "Hurt: Drowned Novice 1 and 3.",
        "who is hidden": "Hidden: Ysolt.",
        "can Corvane act": "No: stable.",
        "what attacks does the abbot have": "The Abbot Below: Attacks at once 2.",
        "how long until the stair goes": "The stair goes: 1d6 left.",
        "what's the world doing": "World; stormy, bell tower.",
        "who took the most damage": "Dorrit, 38 damage.",
        "who's before Dorrit": "Before Dorrit: Garrow.",
        "is it Garrow's turn": "Garrow, 12: in 2 turns, after Corvane.",
        "has anyone died": "Dead: Drowned Novice 2.",
    },
    GLASS: {
        "how long does the hymn last": "Pim, Runa and Cato: Hymn Against the Cold plus 1 attack "
        "and save, from Ione, until the song ends.",
        "how much fortune has Runa": "Runa: no fortune.",
        "what are Ione's spells": "Ione: no spells.",
        "is Pim wounded": "No. Pim, 33 of 33.",
        "who grabbed Runa": "Runa: grabbed, from Glass Vine, until it is let go.",
        "is Pim hidden": "Yes. Pim.",
        "what song is Ione singing": "Ione: sings Hymn Against the Cold until the end of their "
        "next turn.",
        "what's the vine's weakness": "Glass Vine: Weak fire, cold.",
        "what absorbs cold": "Rime Hound 1: Absorb cold.",
        "can Pim hide": "Yes: Hide.",
    },
    FERRY: {
        "how many turns until Jory": "Jory, 14: next.",
        "are all of us up": "Up: 9 of 9; all tells each.",
        "when do more come": "No wave is to come.",
        "who dropped": "Down: Lampeater 1.",
        "is Anselm sneezing": "Yes. Brother Anselm: wing dust minus 1 check, sneezing, until the "
        "end of their next turn.",
        "who is left of us": "Up: Ottilie, Jory and Brother Anselm.",
        "how long till the weir": "The weir: 3 rounds left.",
        "who is in the dark": "In the dark: Ottilie.",
        "how much nerve has Jory": "Jory: nerve 2 of 5.",
        "what is wing dust": "Brother Anselm: wing dust minus 1 check, sneezing, until the end of "
        "their next turn.",
        "what's Anselm's initiative": "Brother Anselm, 6: in 3 turns, after Lampeater times 3.",
        "what conditions does Anselm have": "Brother Anselm, 28 of 28; nerve 3 of 8; wing dust.",
        "who hit Ottilie": "20, minus 7, 7 piercing (Ottilie takes 7 piercing).",
        "what was rolled": "Lampeater 5 initiative 1d20: 20, plus 2, total 22.",
        "what just happened": "Wave 2: Lampeater 5 and 6 join.",
    },
}


@pytest.mark.parametrize("sample", HEARD)
def test_a_question_is_answered_by_what_it_is_about(sample: str) -> None:
    with OpenEncounter.view(fights.CAMPAIGNS / sample) as fight:
        reader = Reader(fight)
        reader.begin()
        for question, heard in HEARD[sample].items():
            assert heard in reader.answer(question), question


POINTERS = {
    "did Corvane hit": "Not done: no answer to that; ? questions helps.",
    "how far is the ogre": "Not done: affray keeps no map, so nobody's place.",
    "where is Pell": "Not done: affray keeps no map, so nobody's place.",
    "who can see": "Not done: nothing here is called 'see'; ? questions helps.",
    "does Oswin have sneak attack": "Not done: no answer to 'sneak attack'; card oswin tells all.",
    "how is tamsn": "Not done: nothing here is called 'tamsn'; did you mean tamsin?",
    "is the ogre pronne": "Not done: nothing here is called 'pronne'; did you mean prone?",
}


def test_what_has_no_answer_is_refused_with_where_to_look() -> None:
    with OpenEncounter.view(fights.CAMPAIGNS / SLUICE) as fight:
        reader = Reader(fight)
        reader.begin()
        for question, heard in POINTERS.items():
            assert reader.answer(question) == [heard], question


def test_the_end_of_a_turn_is_an_act_too(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    _, none, _, did = answers(path, "what did ghoul 2 do", "next", "what did I just do")
    assert none == ["Nothing has happened yet."]
    assert did == ["Mira's turn ends; Ghoul 1 is up."]


def test_nobody_has_a_place_in_an_order_that_is_not_known(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    _, _, after, _, over = answers(
        path, "setting order popcorn", "who goes after mira", "end", "when is it mira's turn"
    )
    assert after == ["Round 1, Mira, 22 of 22, 3 A.P."]
    assert over == ["The fight is over."]


def test_no_question_is_without_an_answer_or_a_refusal() -> None:
    """Words that ask, in any order, with names, tracks and effects between."""
    dice = random.Random(7)
    for sample in sorted(fights.CAMPAIGNS.glob("*/encounters/*.toml")):
        with OpenEncounter.view(sample) as fight:
            tables, reader = fight.ruleset.tables, Reader(fight)
            reader.begin()
            names = [*(each.name for each in fight.state.combatants), "foes", "everyone", "7", '"x']
            terms = [
                *tables.effects,
                *tables.totals,
                *(row.label for row in tables.tracks.values()),
            ]
            for _ in range(60):
                row = [
                    names,
                    terms,
                    sorted(FILLERS),
                    sorted(w for s in SUBJECTS.values() for w in s),
                ]
                words = [dice.choice(dice.choice(row)) for _ in range(dice.randrange(5))]
                line = " ".join([dice.choice(sorted(ASKS)), *words])
                assert all(reader.answer(line)) and reader.answer(line), line


def test_a_name_comes_before_a_word_that_asks(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "add pc Will hp 9", "add pc Mark hp 8", 'inflict mark "up next"')
    _, will, mark, up_next = answers(path, "how is will", "is mark hurt", "who is up next")
    assert will == ["Will, 9 of 9."]
    assert mark == ["No. Mark, 8 of 8."]
    assert up_next == ["Up next: Mark."]
