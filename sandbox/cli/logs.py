"""The log: lines on stderr for commands without a waiting person, otherwise nothing."""

import json
import logging
import sys

from sandbox.secrets import mask
from sandbox.support.characters import printable

_TIME = "%Y-%m-%dT%H:%M:%S%z"


class Lines(logging.Formatter):
    """One line an event, for people: time, level, what happened."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s", _TIME)

    def format(self, record: logging.LogRecord) -> str:
        """The line, where the event has more than one with signs for the breaks; secrets in it are masked."""
        return printable(mask(super().format(record)).text).replace("\n", "\N{SYMBOL FOR NEWLINE}")


class Documents(logging.Formatter):
    """One JSON document a line, for programs: `at`, `level`, `logger`, `message`, and `error` where there is one."""

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
    """From now on: what is logged would stand between the lines of an answer."""
    logging.getLogger().addHandler(logging.NullHandler())


def log_to_stderr(*, as_json: bool) -> None:
    """From now on. Of other libraries only what is wrong: in detail they would tell what people say."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Documents() if as_json else Lines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("sandbox").setLevel(logging.INFO)
