"""An address of this machine: the one it would reach out from, or a loopback one where it has no network at all."""

import socket


def own_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: a datagram socket only picks its address
        except OSError:
            return "127.0.0.2"
        return str(probe.getsockname()[0])
