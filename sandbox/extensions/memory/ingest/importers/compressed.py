"""Files compressed with Zstandard, as Codex keeps rollouts that are a week old."""

import errno
import sys
from dataclasses import replace
from functools import partial
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from sandbox.extensions.memory.ingest.importers.containers import ContainerRefused, check_swelling
from sandbox.extensions.memory.ingest.importers.files import COMPRESSED, File

if TYPE_CHECKING:
    from collections.abc import Callable

_BLOCK = 1024 * 1024  # bytes
_BUFFER = 128 * 1024
_MISSING = (
    "it is compressed with Zstandard, and the package backports.zstd is not installed; run `pip install '.[zstd]'` in"
    " the folder of the source, or `pipx inject assistant-memory backports.zstd`, or unpack it with `zstd -d`"
)


def inside(file: File) -> File:
    """The content of a file whose name says that it is compressed; any other file unchanged. Raises ``OSError`` if it
    is damaged, and :class:`ContainerRefused`.
    """
    if not file.name.lower().endswith(COMPRESSED):
        return file
    opened = partial(_opened, file.opened)
    size = 0
    with opened() as content:  # the size decides how the file is read, and its header may not give it
        while block := content.read(_BLOCK):
            size += len(block)
            check_swelling(size, file.size)
    return replace(file, size=size, opened=opened)


def _opened(compressed: "Callable[[], BinaryIO]") -> BinaryIO:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ModuleNotFoundError:
        raise ContainerRefused(_MISSING) from None
    file = compressed()
    return cast(BinaryIO, BufferedReader(_Content(file, zstd.ZstdFile(file), (zstd.ZstdError, EOFError)), _BUFFER))


class _Content(RawIOBase):
    """The decompressed content of a file; both are closed together."""

    def __init__(self, file: BinaryIO, content: Any, damaged: tuple[type[Exception], ...]) -> None:
        self._file, self._content, self._damaged = file, content, damaged

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            return cast(int, self._content.readinto(buffer))
        except self._damaged as error:
            raise OSError(errno.EIO, "it is damaged") from error

    def close(self) -> None:
        self._content.close()
        self._file.close()
        super().close()
