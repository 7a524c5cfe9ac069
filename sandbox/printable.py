"""Content on its way to a terminal: nothing that people or models say can steer it."""

_SAFE: dict[int, int | str] = {code: 0x2400 + code for code in range(0x20)}  # Unicode's pictures of control characters
_SAFE |= dict.fromkeys((*range(0x80, 0xA0), 0x202D, 0x202E), 0xFFFD)  # C1 controls, overrides of direction
_SAFE |= dict.fromkeys((0x0A, 0x0B, 0x0C, 0x85, 0x2028, 0x2029), "\n")
_SAFE |= {0x09: "    ", 0x7F: "\N{SYMBOL FOR DELETE}"}


def printable(text: str) -> str:
    """The text with what could steer a terminal made visible. Line breaks stay."""
    return text.replace("\r\n", "\n").translate(_SAFE)
