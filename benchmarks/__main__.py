"""Everything that is measured. ``--only`` runs single parts, also those that are too long for every run."""

import os
import sys

from benchmarks import (
    ablation,
    calibration,
    clients,
    command,
    context,
    crashes,
    factconsolidation,
    first_questions,
    hooks,
    imports,
    kernel,
    learning,
    locomo,
    longmemeval,
    mcp,
    notes,
    observe,
    precision,
    rest,
    scale,
    unrelated,
    xquad,
)

PARTS: dict[str, command.Part] = {
    "locomo": locomo.QUESTIONS.measure,
    "longmemeval": longmemeval.QUESTIONS.measure,
    "longmemeval_among_answers": longmemeval.AMONG_ANSWERS.measure,
    "factconsolidation": factconsolidation.QUESTIONS.measure,
    "xquad": xquad.QUESTIONS.measure,
    "unrelated": unrelated.QUESTIONS.measure,
    "learning": learning.measure,
    "crashes": crashes.measure,
    "precision": precision.measure,
    "notes": notes.measure,
    "calibration": calibration.measure,
    "ablation": ablation.measure,
    "imports": imports.measure,
    "observe": observe.measure,
    "kernel": kernel.measure,
    "rest": rest.measure,
    "mcp": mcp.measure,
    "clients": clients.measure,
    "scale": scale.measure,
}
SINGLE: dict[str, command.Part] = {
    "context": context.measure,
    "first_questions": first_questions.measure,
    "hooks": hooks.measure,
}

if __name__ == "__main__":
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has bytecode; some containers set this
    sys.exit(command.run(PARTS, single=SINGLE))
