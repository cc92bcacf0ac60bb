"""A port that is free stays ours, for whichever server is told its number."""

import socket

import pytest

from tests.support.ports import free_port


def test_a_free_port_is_refused_until_somebody_listens_and_again_afterwards() -> None:
    port = free_port()
    for _ in range(2):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=30)
        with socket.create_server(("127.0.0.1", port)):
            socket.create_connection(("127.0.0.1", port), timeout=30).close()


def test_the_system_gives_a_free_port_to_nobody_else() -> None:
    ours = {free_port() for _ in range(200)}
    theirs = set()
    for reuses in [0, 1] * 2_000:
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, reuses)
            other.bind(("127.0.0.1", 0))
            theirs.add(other.getsockname()[1])
    assert (len(ours), ours & theirs) == (200, set())
