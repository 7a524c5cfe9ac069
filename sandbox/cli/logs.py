"""The log: lines on stderr for commands without a waiting person, otherwise nothing."""

import json
import logging
import sys

from sandbox.secrets import mask
from sandbox.support.characters import printable

_TIME = "%Y-%m-%dT%H:%M:%S%z"


class Lines(logging.Formatter):
    """For people, one line per event: time, level, message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s", _TIME)

    def format(self, record: logging.LogRecord) -> str:
        """The event in one line, with signs for line breaks; secrets are masked."""
        return printable(mask(super().format(record)).text).replace("\n", "\N{SYMBOL FOR NEWLINE}")


class Documents(logging.Formatter):
    """For programs, one JSON document per line: `at`, `level`, `logger`, `message`, and perhaps `error`."""

    def __init__(self) -> None:
        super().__init__(datefmt=_TIME)

    def format(self, record: logging.LogRecord) -> str:
        """The document; secrets in it are masked."""
        document = {
            "at": self.formatTime(record, _TIME),
            "level": record.levelname,
            "logger": record.name,
            "message": mask(record.getMessage()).text,
        }
        if record.exc_info:
            document["error"] = mask(self.formatException(record.exc_info)).text
        return json.dumps(document)


def keep_quiet() -> None:
    """Log nothing from now on, because it would mix with the lines of an answer."""
    logging.getLogger().addHandler(logging.NullHandler())


def log_to_stderr(*, as_json: bool) -> None:
    """Log from now on. Of other libraries only warnings, because their details contain conversations."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Documents() if as_json else Lines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("sandbox").setLevel(logging.INFO)
