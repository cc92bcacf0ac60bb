"""What goes wrong with a server."""


class ServerError(RuntimeError):
    """A server could not be started; the text says why and is meant for whoever typed the command."""
