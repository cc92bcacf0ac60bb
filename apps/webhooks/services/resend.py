"""Send a finished delivery once more, by hand."""

from django.db import transaction

from apps.common import clock
from apps.gateway.errors import Conflict
from apps.webhooks import wakeups
from apps.webhooks.models import Delivery, DeliveryStatus, EndpointStatus
from apps.webhooks.selectors import lock_endpoint


@transaction.atomic
def resend(*, delivery: Delivery) -> Delivery:
    """The delivery, PENDING with one more attempt due now; if that fails it goes back to the status it has.

    Same payload, fresh signature; never counts towards disabling. Raises Conflict while the delivery is
    unfinished or its endpoint is disabled or deleted.
    """
    endpoint = lock_endpoint(delivery.endpoint, deleted=True)
    if endpoint.deleted_at is not None:
        raise Conflict("The endpoint of this delivery was deleted.")
    if endpoint.status != EndpointStatus.ENABLED:
        raise Conflict("The endpoint of this delivery is disabled; enable it first.")
    delivery = Delivery.objects.select_for_update(no_key=True).get(pk=delivery.pk)
    if not delivery.is_finished:
        raise Conflict("This delivery is not finished; it will be tried without being asked.")
    delivery.status_before_resend = delivery.status
    delivery.status = DeliveryStatus.PENDING
    delivery.next_attempt_at = clock.now()
    delivery.save(update_fields=["status_before_resend", "status", "next_attempt_at"])
    transaction.on_commit(wakeups.ring)
    return delivery
