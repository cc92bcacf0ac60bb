"""A worker throws a message away that has expired: by the clock of the database, and not by that of its host (reliability T3)."""

from celery.worker.request import Request
from celery.worker.state import revoked

from apps.common.clock import steady_now


class SteadyRequest(Request):  # type: ignore[misc]  # the library has no types
    """A message as a worker has it before its task runs. `config.celery.Application` wrote its end by the same clock."""

    def maybe_expire(self) -> bool:
        if self.expires is None or steady_now() <= self.expires:
            return False
        revoked.add(self.id)
        return True
