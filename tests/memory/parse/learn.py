"""``python -m tests.memory.parse.learn en`` prints what is learnt from the development conversations of a language:
statements and claims as the reader makes them. The benchmark with figures is ``python -m benchmarks.notes``.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

import yaml

from sandbox.extensions.memory.parse import read
from sandbox.extensions.memory.text.pasted import said

CONVERSATIONS = Path(__file__).parent.parent / "learning" / "conversations"


def main(code: str) -> None:
    """Print what each conversation teaches."""
    for each in yaml.load((CONVERSATIONS / f"{code}.yaml").read_text(encoding="utf-8"), yaml.BaseLoader):
        print(each["id"])
        turns = [
            ("user", said(turn["user"]), datetime.fromisoformat(session["at"]).replace(tzinfo=UTC))
            for session in each["sessions"]
            for turn in session["turns"]
            if "user" in turn
        ]
        for statement in read(turns, {"user": ""})[0]:
            claims = [f"{'' if c.is_affirmed else 'not '}{c.subject or 'user'} {c.predicate} {c.value!r} {c.time or ''}"
                      for c in statement.claims]  # fmt: skip
            print(f"    {statement.content}  {claims}")


if __name__ == "__main__":
    main(sys.argv[1])
