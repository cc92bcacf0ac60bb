"""Ports for servers of the tests' own."""

import socket

_held: list[socket.socket] = []


def free_port() -> int:
    """A port that is ours until this process ends, and that a server which is told its number can listen on.

    A socket that is bound to it, and never listens, keeps the system from giving it to anybody else meanwhile: to a server that
    takes any, or to a connection that begins here. Until somebody listens, connections to it are refused.
    """
    holder = socket.socket()
    holder.setsockopt(
        socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
    )  # as servers do: with it both may have the port
    holder.bind(("127.0.0.1", 0))
    _held.append(holder)
    return int(holder.getsockname()[1])
