"""What opening a memory needs from the machine: a folder of its own, and the embedder that comes with the package."""

from pathlib import Path

from sandbox.extensions.memory.errors import DatabaseReadOnly, InvalidArgument
from sandbox.extensions.memory.ports import Embedder


def make_folder(folder: Path | str) -> Path:
    """The folder, made readable for its owner only where there was none."""
    path = Path(folder).expanduser()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise InvalidArgument(argument="folder", value=str(folder), expected="it is a file; name a folder") from error
    except OSError as error:
        raise DatabaseReadOnly(path=path, problem=error.strerror or "the folder cannot be made") from error
    return path


def embedded() -> Embedder:
    """The embedder that comes with the package."""
    from sandbox.extensions.embedding import WordLlamaEmbedder

    return WordLlamaEmbedder()
