"""GET /v1/hotels/rates/{rateId}: the rate as quoted. The supplier is not asked here, but in the booking's first step."""

from apps.gateway.call import Caller
from apps.hotels.selectors import QuotedRate, quoted_rate


def read_rate(*, caller: Caller, rate_id: str) -> QuotedRate:
    """Raises OfferExpired when the handle is unknown or has expired."""
    quoted = quoted_rate(caller.partner, rate_id)
    caller.trigger.refuse_handle()
    return quoted
