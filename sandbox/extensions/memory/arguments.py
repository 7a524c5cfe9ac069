"""The check of arguments: each public method checks them once, by its own signature.

A type hint becomes a function that checks and converts a value when the method is first called. A check then takes a
fraction of a microsecond; an omitted argument is not checked.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache, wraps
from inspect import Parameter, getattr_static, isclass, iscoroutinefunction, signature
from types import NoneType, UnionType
from typing import (
    Any,
    Concatenate,
    Literal,
    ParamSpec,
    Protocol,
    TypeVar,
    Union,
    Unpack,
    get_args,
    get_origin,
    get_type_hints,
)

from sandbox.extensions.memory.call_context import Interface, calling
from sandbox.extensions.memory.errors import InvalidArgument, WrongType

P = ParamSpec("P")
T = TypeVar("T")

_Read = Callable[[Any], Any]
"""Converts a value to the form that the code works with, or raises ``_Unfit``."""

_LONE = re.compile(r"[\ud800-\udfff]")  # half of a surrogate pair is not valid UTF-8
_FIRST_YEAR, _LAST_YEAR = 2, 9998  # leaves room for any time zone at both ends of the calendar
_MOST = 2**62
_LARGEST_COUNT = 1_000_000_000
_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "True or False", NoneType: "None"}


class OpenObject(Protocol):
    """An open object: it belongs to one process, one event loop and one interface."""

    _interface: Interface

    def _check_here(self) -> None:
        """Raises ``OpenedElsewhere``."""


H = TypeVar("H", bound=OpenObject)


class _Unfit(Exception):
    """A value is not what is expected. It may say what is wrong, and name the wrong value of a list."""


def checked(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function: it raises ``InvalidArgument`` if an argument has another type than its hint says."""

    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> T:
        return function(*_taker(function)(given, named), **named)

    return call


def public(method: Callable[Concatenate[H, P], Awaitable[T]]) -> Callable[Concatenate[H, P], Awaitable[T]]:
    """Wrap a method like ``checked``; it also refuses calls from another process or event loop."""

    @wraps(method)
    async def call(self: H, /, *given: P.args, **named: P.kwargs) -> T:
        self._check_here()
        taken, scope = _taker(method)((self, *given), named)[1:], named.get("scope")
        with calling(self._interface, getattr(scope, "actor_id", None), getattr(scope, "session_id", None)):
            return await method(self, *taken, **named)

    return call


def facade(cls: type[T]) -> type[T]:
    """Wrap every public coroutine method of a class with ``public``."""
    for name, method in list(vars(cls).items()):
        if not name.startswith("_") and iscoroutinefunction(method):
            setattr(cls, name, public(method))
    return cls


@cache
def positive(argument: str, value: int) -> int:
    """The number, if it is at least 1; a very large one is cut."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidArgument(argument=argument, value=value, expected="give a whole number from 1")
    return min(value, _LARGEST_COUNT)


def _taker(function: Callable[..., object]) -> Callable[[tuple[Any, ...], dict[str, Any]], list[Any]]:
    """Checks positional and named arguments; returns the positional ones, and changes the named ones in place."""
    hints = {
        name: Any if each.annotation is Parameter.empty else each.annotation
        for name, each in signature(function).parameters.items()
    }
    packed = next((name for name, hint in hints.items() if get_origin(hint) is Unpack), None)
    more = {} if packed is None else get_type_hints(get_args(hints.pop(packed))[0])
    reads = {name: _Argument(name, hint) for name, hint in {**hints, **more}.items()}
    ordered = [reads[name] for name in hints]

    def take(given: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        for name, value in named.items():
            if name in reads:
                named[name] = reads[name].take(value)
            elif packed is not None:  # without it, Python refuses the call
                known = ", ".join(each for each in reads if each != "self")
                raise TypeError(f"{name!r} is no argument of {function.__name__}; it takes {known}")
        return [*(each.take(value) for each, value in zip(ordered, given, strict=False)), *given[len(ordered) :]]

    return take


class _Argument:
    """One parameter, or one field of a dataclass that is given for it."""

    def __init__(self, name: str, hint: Any) -> None:
        self._name = name
        self._expected = _described(hint)
        self._read = _reader(hint)

    def take(self, value: Any) -> Any:
        try:
            return self._read(value)
        except _Unfit as unfit:
            if unfit.args:
                problem, *wrong = unfit.args
                raise InvalidArgument(argument=self._name, value=(wrong or [value])[0], expected=problem) from None
            raise WrongType(argument=self._name, found=type(value).__name__, expected=self._expected) from None


def _reader(hint: Any) -> _Read:
    origin, inner = get_origin(hint), get_args(hint)
    if hint in _READS:
        return _READS[hint]
    if origin is Literal:
        return _one_of(inner)
    if origin in (Union, UnionType):
        return _either([_reader(each) for each in inner])
    if origin in (Sequence, tuple):
        return _many(_reader(inner[0]), Sequence, tuple)
    if origin is Iterable:
        return _many(_Argument("item", inner[0]).take, Iterable, iter)
    if origin in (Mapping, Callable):
        return _instance(origin)
    if is_dataclass(hint) and isclass(hint):
        return _values(hint)
    if getattr(hint, "_is_protocol", False):
        return _playing([name for name in vars(hint) if name == "__call__" or not name.startswith("_")])
    return _instance(hint)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Unfit
    if type(value) is not str:
        value = str.__str__(value)  # a subclass may change what str() gives
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return _LONE.sub("\N{REPLACEMENT CHARACTER}", value)
    return str(value)


def _whole(value: Any) -> int:
    """A whole number, cut to the range that the database can store."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise _Unfit
    return max(-_MOST, min(int(value), _MOST))


def _number(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _Unfit
    try:
        return float(value)
    except OverflowError:
        raise _Unfit("give a smaller number") from None


def _moment(value: Any) -> datetime:
    if not isinstance(value, datetime):
        raise _Unfit
    if not _FIRST_YEAR <= value.year <= _LAST_YEAR:
        raise _Unfit(f"give a time in the years {_FIRST_YEAR} to {_LAST_YEAR}")
    try:
        is_aware = value.utcoffset() is not None
        value.astimezone(UTC)
    except Exception:  # the class of the time zone may be anybody's
        is_aware = False
    if not is_aware:
        raise _Unfit("give a datetime with a time zone")
    return value


_READS: Mapping[Any, _Read] = {Any: lambda value: value, str: _text, int: _whole, float: _number, datetime: _moment}


def _one_of(known: Sequence[Any]) -> _Read:
    def read(value: Any) -> Any:
        if not isinstance(value, str):
            raise _Unfit
        if value not in known:
            raise _Unfit(f"it is one of {', '.join(known)}", value)
        return _text(value)

    return read


def _either(reads: Sequence[_Read]) -> _Read:
    def read(value: Any) -> Any:
        problem: tuple[Any, ...] = ()
        for each in reads:
            try:
                return each(value)
            except _Unfit as unfit:
                problem = problem or unfit.args
        raise _Unfit(*problem)

    return read


def _many(read: _Read, kind: type[Any], made: Callable[[Iterable[Any]], Any]) -> _Read:
    """The values of a list or of another iterable; a text or bytes are none."""

    def read_all(value: Any) -> Any:
        if isinstance(value, str | bytes | bytearray | memoryview) or not isinstance(value, kind):
            raise _Unfit
        return made(map(read, value))

    return read_all


def _values(kind: type[Any]) -> _Read:
    """A dataclass: its fields are checked like arguments of their names; text in them is made storable."""
    hints = get_type_hints(kind)
    arguments = [(each.name, _Argument(each.name, hints[each.name])) for each in fields(kind)]

    def read(value: Any) -> Any:
        if not isinstance(value, kind):
            raise _Unfit
        for name, argument in arguments:
            argument.take(getattr(value, name))
        return value

    return read


def _playing(names: Sequence[str]) -> _Read:
    """Whether a value has the members of a protocol. It looks them up without calling them."""
    nothing = object()

    def read(value: Any) -> Any:
        if isclass(value) or any(getattr_static(value, name, nothing) is nothing for name in names):
            raise _Unfit
        return value

    return read


def _instance(kind: type[Any]) -> _Read:
    def read(value: Any) -> Any:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise _Unfit
        return value

    return read


def _described(hint: Any) -> str:
    """A type hint in words."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " or ".join(f'"{each}"' for each in inner)
    if origin in (Union, UnionType):
        return " or ".join(map(_described, inner))
    if origin in (Sequence, tuple, Iterable):
        return f"a list of {_described(inner[0])}"
    if origin is Mapping:
        return "a mapping"
    if origin is Callable:
        return "a function"
    return _NAMES.get(hint) or f"a {getattr(hint, '__name__', hint)}"
