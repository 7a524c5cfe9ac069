"""Fakes for tests, here and in other extensions: a clock that can be set, and servers with scripted answers."""

from sandbox.testing.actors import NOON, FakeClock, ScriptedResponder
from sandbox.testing.loopback import LoopbackServer, Request, send_head
from sandbox.testing.model import Answer, Call, Line, ScriptedModel, call

__all__ = [
    "NOON",
    "Answer",
    "Call",
    "FakeClock",
    "Line",
    "LoopbackServer",
    "Request",
    "ScriptedModel",
    "ScriptedResponder",
    "call",
    "send_head",
]
