"""Transfer bodies and answers (contract §3, Transfers)."""

from apps.transfers.serializers.answers import TransferOrderAnswer, TransferOrderPage, TransferSearchAnswer
from apps.transfers.serializers.bodies import (
    FURTHEST,
    MAX_PARTY,
    TransferOrderBody,
    TransferSearchBody,
    lead_passenger,
    search_request,
)

__all__ = [
    "FURTHEST",
    "MAX_PARTY",
    "TransferOrderAnswer",
    "TransferOrderBody",
    "TransferOrderPage",
    "TransferSearchAnswer",
    "TransferSearchBody",
    "lead_passenger",
    "search_request",
]
