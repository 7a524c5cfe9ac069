"""YAML files of keys and values."""

from pathlib import Path
from typing import Any

import yaml

from sandbox.support.errors import DocumentedError


def read_yaml(file: Path, error: type[DocumentedError]) -> dict[str, Any]:
    """The keys and values in the file, if any. Raises ``error`` with ``file`` and ``problem``."""
    try:
        text = file.read_text(encoding="utf-8")
        found = yaml.load(text, _Loader)
    except (FileNotFoundError, NotADirectoryError):  # if the home is a file, opening it says more
        return {}
    except UnicodeDecodeError:
        problem = "it is not UTF-8"
    except yaml.YAMLError as wrong:
        problem = f"it is not YAML ({_where(wrong, text)})"
    except RecursionError:
        problem = "it is nested too deeply"
    except (OSError, ValueError) as wrong:
        problem = getattr(wrong, "strerror", None) or str(wrong)
    else:
        if found is None or isinstance(found, dict):
            return found or {}
        problem = f"it holds {type(found).__name__}, not keys and values"
    raise error(file=file, problem=problem)


def read_packaged(file: Path) -> Any:
    """The content of a file that comes with the package, by libyaml if there is one, in a tenth of the time."""
    return yaml.load(file.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


class _Loader(yaml.SafeLoader):
    """Refuses a key that occurs twice; YAML would drop the first. It tells errors better than libyaml."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"`{key.value}` stands there twice", key.start_mark)
            seen.add(key.value if isinstance(key, yaml.ScalarNode) else None)
        return super().construct_mapping(node, deep)


def _where(error: yaml.YAMLError, text: str) -> str:
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
    if mark := getattr(error, "problem_mark", None):
        return f"line {mark.line + 1}: {problem}"
    return f"line {text.count(chr(10), 0, getattr(error, 'position', 0)) + 1}: {problem}"
