"""Which lists have files, and where the rows of each come from."""

from apps.portal.audit import csv_view as audit
from apps.portal.bookings import csv_view as bookings
from apps.portal.csv_files import SourceOf
from apps.portal.requests import csv_view as requests
from apps.portal.webhooks.deliveries import csv_view as deliveries

SOURCES: dict[str, SourceOf] = {
    "requests": requests.source_of,
    "bookings": bookings.source_of,
    "deliveries": deliveries.source_of,
    "audit": audit.source_of,
}
TITLES = {"requests": "Requests", "bookings": "Bookings", "deliveries": "Deliveries", "audit": "Audit trail"}
