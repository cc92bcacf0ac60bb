"""The feed of events: in which order an account's environment is told of what happened, and what of it is forgotten."""

from django.db import models

from apps.accounts.models import Account
from apps.common import clock
from apps.common.environments import Environment
from apps.webhooks.models.delivery import new_event_id


class EventFeed(models.Model):
    """How far the feed of an account's environment is numbered. Made by whoever reads it first.

    An event gets its position when it is committed and somebody reads, under a lock of this row. So positions are in the order in
    which readers can see the events, however late a transaction commits, and they never change.

    `forgotten_event_id` is the newest event that was deleted, at `forgotten_position`: who has read up to it has missed nothing.
    Before the first one it is an id that no event has, and stands for the beginning.
    """

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    last_position = models.BigIntegerField(default=0)
    forgotten_position = models.BigIntegerField(default=0)
    forgotten_event_id = models.CharField(max_length=64, default=new_event_id)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "environment"], name="event_feed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.environment}"
