"""The guard of every test: only this machine can be reached."""

import socket

import pytest

from tests import conftest


def test_the_network_cannot_be_reached() -> None:
    """Connecting, sending and looking up a name fail; the guard notes each, in case a test catches the error."""
    with socket.socket() as stream, pytest.raises(conftest.NetworkUsed):
        stream.connect(("192.0.2.1", 80))
    with socket.socket(type=socket.SOCK_DGRAM) as datagram, pytest.raises(conftest.NetworkUsed):
        datagram.sendto(b"", ("192.0.2.1", 53))
    with pytest.raises(conftest.NetworkUsed):
        socket.getaddrinfo("example.org", 80)
    assert len(conftest.attempts) == 3
    conftest.attempts.clear()
