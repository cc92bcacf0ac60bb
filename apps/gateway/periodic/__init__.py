"""What becomes of the tasks of CELERY_BEAT_SCHEDULE. Each run is recorded; staff are alerted to a task that fails or is late."""

from apps.gateway.periodic.recording import recorded
from apps.gateway.periodic.tally import ITSELF, Tally

__all__ = ["ITSELF", "Tally", "recorded"]
