"""The output of `memory demo`, from the first line to the last; its facts come from the played story."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sandbox.cli import output
from sandbox.cli.demo import BUDGET, Asked, Corrected, Fate, Intake, Later, Story
from sandbox.cli.page import BAD, FAINT, GOOD, HEADING, ID, Page, Part, counted
from sandbox.extensions.memory import Message
from sandbox.extensions.memory.model import Explanation, Record

OPENING = """\
Nell Harker tunes and restores pianos in Berwick. For two weeks she talked with an assistant, a few times a day: about \
a burst pipe, a dog with an itch, a grandmother who turns ninety. An assistant forgets a conversation when it is over. \
This one has a memory.

Nell is made up. What the memory does with her is not: it was computed just now, on this machine, without a language \
model, a key or a network."""

ASKING = f"""\
The assistant starts afresh each time and has seen none of the two weeks. Before it answers, it asks the memory for \
what matters to the prompt. The memory answers with a block of text, within a budget: {BUDGET} tokens here, so that it \
can be read, and a thousand or more otherwise. Below each block stand the turns that a good answer needs: "found" in \
the block as they were said, "saved" where the block has a statement that the assistant saved of them, or "missing"."""

FORGETTING = """\
What was said never fades, nor does what the user told or wished, or confirmed. What the assistant guessed, or knows \
from elsewhere, does: day by day it loses confidence, the slower the more it is used, and one night it is retired."""

FINDINGS = {"said": ("found  ", GOOD), "saved": ("saved  ", GOOD), "missing": ("missing", BAD)}

NEXT_STEPS = (
    ("memory import FILE", "bring your own: ChatGPT exports, Claude Code transcripts, ..."),
    ('memory remember "I live in Leith."', "or tell it something"),
    ('memory search "where do I live?"', "what you would ask"),
    ('memory context "Plan my weekend."', "what an assistant would be given"),
    ("memory --help", "everything else"),
)


def tell(page: Page, story: Story) -> None:
    """Tell the story. Its dates are in UTC, like those in the blocks."""
    page = Page(page.console, UTC)
    page.line(("What an assistant can remember", HEADING))
    page.blank()
    page.text(OPENING, indent=0)
    _intake(page, story.intake)
    _prompts(page, story.asked)
    _correction(page, story.corrected)
    _explanation(page, story.explained)
    _confirmation(page, story.confirmed)
    _later(page, story.later)
    _ending(page, story.home)


def _intake(page: Page, intake: Intake) -> None:
    page.heading("1. What went in")
    first, last = page.day(intake.first), page.day(intake.last)
    page.text(f"{intake.turns} turns of {intake.conversations} conversations, {first} to {last}, word for word.")
    page.text(f"{intake.statements} statements that the assistant saved on the way: facts, wishes, a how-to.")
    if intake.masked:
        page.text(
            f"{counted(len(intake.masked), 'turn')} held a secret. It was masked before anything reached the disk:"
        )
    for turn in intake.masked:
        page.quote(_said(turn))


def _prompts(page: Page, asked: Sequence[Asked]) -> None:
    page.heading("2. Days later, new conversations")
    page.text(ASKING, indent=0)
    for each in asked:
        page.blank()
        _asked(page, each)
    found, needed = sum(each.found for each in asked), sum(len(each.expected) for each in asked)
    page.blank()
    page.text(
        f"In all, {found} of the {needed} turns that were needed are there, in {BUDGET} tokens a prompt.", indent=0
    )


def _asked(page: Page, asked: Asked) -> None:
    page.line((page.day(asked.at), FAINT), (f'Nell: "{asked.prompt}"', HEADING))
    if not asked.context:
        page.text("The memory adds nothing: nothing in it is relevant.")
    else:
        page.text("The memory adds:")
        page.quote(asked.context)
    page.text(f"Needed: {len(asked.expected)}, there: {asked.found}")
    for each in asked.expected:
        word, style = FINDINGS[each.finding]
        page.brief((f"    {word}", style), (_day(page, each.turn.at), FAINT), _said(each.turn))


def _correction(page: Page, corrected: Corrected) -> None:
    page.heading("3. A correction")
    page.line((page.day(corrected.at), FAINT), (f'Nell: "{corrected.said}"', HEADING))
    page.text("The assistant corrects what it had saved. The id stays, the old version is kept as history:")
    versions = (("was", corrected.before), ("is", corrected.after))
    page.rows(([(f"    {corrected.id}", ID), name], text) for name, text in versions)
    page.blank()
    page.text("The first question again:")
    _asked(page, corrected.again)


def _explanation(page: Page, explained: Explanation) -> None:
    page.heading("4. How is that known?")
    page.text(f"`memory explain {explained.memory.id}` tells:", indent=0)
    page.blank()
    output.explanation(page, explained)


def _confirmation(page: Page, confirmed: Record) -> None:
    page.heading("5. A confirmation")
    page.text(f"Nell says that one thing is right, `memory confirm {confirmed.id}`, and so it stays:")
    page.quote(confirmed.content)


def _later(page: Page, later: Later) -> None:
    page.heading(f"6. {later.weeks} weeks later")
    page.text(FORGETTING, indent=0)
    if later.meanwhile:
        page.blank()
        page.text("In these weeks, only this was asked:", indent=0)
    for each in later.meanwhile:
        _asked(page, each)
    page.blank()
    page.text(f"On {page.day(later.until)} the assistant still believes {len(later.kept)} of its statements:", indent=0)
    page.rows(_fate(fate, _why_kept(page, fate)) for fate in later.kept)
    page.blank()
    page.text(f"{len(later.faded)} have faded; `memory restore ID` brings one back:", indent=0)
    page.rows(_fate(fate, _why_faded(page, fate)) for fate in later.faded)


def _fate(fate: Fate, why: str) -> tuple[list[Part], str]:
    return [(f"  {fate.memory.id}", ID)], f"{fate.memory.content} ({why})"


def _why_kept(page: Page, fate: Fate) -> str:
    if fate.memory.trust == "confirmed":
        return "confirmed"
    if fate.memory.fades_at is None:
        return "a standing wish" if fate.memory.category in ("instruction", "preference") else "told on purpose"
    used = f"used on {page.day(fate.shown)}, " if fate.shown else ""
    return f"{used}fades on {page.day(fate.memory.fades_at)}"


def _why_faded(page: Page, fate: Fate) -> str:
    was = "only inferred, " if fate.memory.source == "inferred" else ""
    used = f"last used on {page.day(fate.shown)}" if fate.shown else "never used"
    return f"{was}{used}, faded on {_day(page, fate.memory.fades_at)}"


def _ending(page: Page, home: str | None) -> None:
    page.heading("Your turn")
    page.rows(([f"  {run}"], (why, FAINT)) for run, why in NEXT_STEPS)
    page.blank()
    if home:
        page.text(f'This memory is in {home}; try `memory --home {home} search "the piano"`.', indent=0)
    else:
        page.text("`memory demo --keep DIR` keeps this memory, to look around in it.", indent=0)


def _said(turn: Message) -> str:
    return f"{turn.speaker or turn.role}: {turn.content}"


def _day(page: Page, moment: datetime | None) -> str:
    return page.day(moment) if moment else ""
