"""How many tokens a block puts before a prompt that has nothing to do with the memory. Most prompts are of this kind.

Into each conversation of LoCoMo go prompts that other people wrote to assistants (the filler of LongMemEval) and short
tasks, each with the default budget.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from benchmarks import locomo
from benchmarks.bootstrap import Mean, Row
from benchmarks.data import DataFolder
from benchmarks.quality import QuestionSet
from sandbox.extensions.memory import Memory

_SEED, _WRITTEN = 7, 60  # prompts of others for each conversation
_LONGEST = 600  # characters of a prompt; some are whole articles
_TASKS = (
    "fix the failing test in parser.py",
    "add a --json flag to the export command",
    "why does this function return None",
    "write a docstring for this class",
    "make the button blue",
    "commit this with a good message",
    "is there a way to speed up this query",
    "how do I center a div",
    "what's the difference between a list and a tuple",
    "looks good, now the other file too",
    "now do the same for the german translation",
    "write a haiku about autumn",
    "translate 'good morning' to Polish",
    "what's the capital of Mongolia",
    "give me 5 name ideas for a coffee shop",
    "best way to cook rice",
    "how many legs does a spider have",
    "explain the french revolution to a ten year old",
    "draft a polite email declining an invitation",
    "tell me a joke",
)


@dataclass(frozen=True, slots=True)
class _Prompts:
    """A conversation, and what has nothing to do with it."""

    of: locomo.Conversation
    written: Sequence[str]

    @property
    def name(self) -> str:
        """That of the conversation."""
        return self.of.name

    async def fill(self, memory: Memory) -> None:
        """Turn by turn."""
        await self.of.fill(memory)

    async def ask(self, memory: Memory, *, blocks: bool) -> list[Row]:  # noqa: ARG002 (nothing is asked but blocks)
        """The block for each prompt, when the conversation was over."""
        now = max(question.now for question in self.of.questions if question.now)
        kinds = (("written", self.written), ("task", _TASKS))
        return [await self._asked(memory, prompt, kind, now) for kind, prompts in kinds for prompt in prompts]

    async def _asked(self, memory: Memory, prompt: str, kind: str, now: datetime) -> Row:
        block = await memory.context(prompt, now=now, reinforce=False)
        return Row(prompt, self.name, kind, {"tokens": block.tokens if block else 0})


def _units(data: DataFolder) -> Sequence[_Prompts]:
    rows = data.rows("longmemeval", "filler.jsonl")
    written = [row["text"][:_LONGEST] for row in rows if row["speaker"] == "user"]
    random.Random(_SEED).shuffle(written)
    conversations = locomo.conversations(data)
    return [_Prompts(each, written[place :: len(conversations)][:_WRITTEN]) for place, each in enumerate(conversations)]


QUESTIONS = QuestionSet("unrelated", _units, (Mean("tokens"),))
