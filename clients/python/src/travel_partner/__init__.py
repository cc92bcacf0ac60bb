"""The client of Travel Partner API for Python.

from travel_partner import TravelPartner

client = TravelPartner("svc_test_…", "https://…")
for order in client.flights.orders.iterate():
    print(order.reference, order.status)
"""

from travel_partner import errors, models, webhooks
from travel_partner._version import __version__
from travel_partner.async_client import AsyncTravelPartner
from travel_partner.client import TravelPartner
from travel_partner.errors import ApiError, NoAnswerError, TravelPartnerError
from travel_partner.response import Limit, Response
from travel_partner.retries import Clock, Retries

__all__ = [
    "ApiError",
    "AsyncTravelPartner",
    "Clock",
    "Limit",
    "NoAnswerError",
    "Response",
    "Retries",
    "TravelPartner",
    "TravelPartnerError",
    "__version__",
    "errors",
    "models",
    "webhooks",
]
