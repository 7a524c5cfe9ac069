"""Fakes for tests, here and in other extensions: a clock that can be set, and servers with scripted answers."""

from sandbox.testing.actors import NOON as NOON, FakeClock as FakeClock, ScriptedResponder as ScriptedResponder
from sandbox.testing.loopback import LoopbackServer as LoopbackServer, Request as Request, send_head as send_head
from sandbox.testing.model import (
    Answer as Answer,
    Call as Call,
    Line as Line,
    ScriptedModel as ScriptedModel,
    call as call,
)
