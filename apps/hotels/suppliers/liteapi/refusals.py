"""What the text of a refusal says, where its code stands for two things."""

import re
from typing import Any

OF_THE_BODY = re.compile(r"request body|body validation", re.IGNORECASE)
OF_THE_OFFER = re.compile(r"pre-?book|offer|\brates?(?:id)?\b", re.IGNORECASE)
OF_THE_PAYMENT = re.compile(r"payment (?:failed|declined)|payment method|insufficient", re.IGNORECASE)
NO_SUCH_HOTELS = re.compile(r"hotel ?ids? (?:were |was )?not found", re.IGNORECASE)


def told_in(error: Any) -> str:
    """Both of their texts; nothing where they have another form."""
    if not isinstance(error, dict):
        return ""
    return " ".join(str(error[name]) for name in ("description", "message") if error.get(name))


def is_of_the_offer(told: str) -> bool:
    """Whether it is the prebook or the rate that they do not take, and not our request."""
    return OF_THE_OFFER.search(told) is not None and OF_THE_BODY.search(told) is None


def is_of_the_payment(told: str) -> bool:
    """Whether they could not be paid, and so booked nothing."""
    return OF_THE_PAYMENT.search(told) is not None


def knows_no_hotel(told: str) -> bool:
    """Whether they know none of the hotels that were searched for."""
    return NO_SUCH_HOTELS.search(told) is not None
