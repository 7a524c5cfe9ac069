"""Whether an object plays a role: every attribute and method of the protocol is there, and can be used as it says."""

from collections.abc import Callable
from inspect import get_annotations, iscoroutinefunction, signature
from typing import Any


def flaw(player: object, role: type) -> str | None:
    """What keeps the object from playing the role, in words; None: nothing does."""
    for name, kind in get_annotations(role).items():
        if not isinstance(getattr(player, name, None), kind):
            return f"`{name}` of {role.__name__} must be there, of type {kind.__name__}"
    for name, method in vars(role).items():
        if not name.startswith("_") and (problem := _flaw(getattr(player, name, None), method)):
            return f"`{name}` of {role.__name__} {problem}"
    return None


def _flaw(found: object, promised: Callable[..., Any]) -> str | None:
    if found is None:
        return "is missing"
    if not callable(found):
        return "is not a method"
    if iscoroutinefunction(found) != iscoroutinefunction(promised):
        return "must be `async def`" if iscoroutinefunction(promised) else "must not be `async def`"
    arguments = list(signature(promised).parameters)[1:]
    try:
        signature(found).bind(*arguments)
    except TypeError:
        return f"must take ({', '.join(arguments)})"
    return None
