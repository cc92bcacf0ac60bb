from tests.webhooks.sender.conftest import sender

__all__ = ["sender"]
