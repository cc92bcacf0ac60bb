"""What a thread tells the web server that runs it: it is about to wait for somebody else, and computes nothing meanwhile."""

import threading
from collections.abc import Callable

_told = threading.local()


def tell(server: Callable[[], None] | None) -> None:
    """Whom this thread tells from now on; None: nobody."""
    _told.server = server


def about_to_wait() -> None:
    """Called before a supplier is asked. Does nothing outside a web process."""
    server = getattr(_told, "server", None)
    if server is not None:
        server()
