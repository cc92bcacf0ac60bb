"""The QR code of a profile's activation code, as a picture at a signed address of its own.

The address lies outside /v1 and needs no key, so that a partner can put it into an e-mail or a page. It cannot be guessed, and
says nothing of the profile itself: the activation code is read from the order when the picture is asked for.
"""

import io

import segno
from django.conf import settings
from django.core import signing

from apps.bookings.models import Booking, Product
from apps.esim.details import OrderDetails

_first, *_others = settings.QR_SIGNING_KEYS
_signer = signing.Signer(key=_first, fallback_keys=_others, salt="esim.qr", sep=".")


def qr_svg_url(booking: Booking) -> str:
    """Where the picture is found; valid for as long as the order is kept."""
    return f"{settings.PUBLIC_BASE_URL}/esim/qr/{_signer.sign(booking.id)}.svg"


def activation_code(token: str) -> str | None:
    """The activation code that a signed address belongs to; None when it is made up or has no profile."""
    try:
        booking_id = _signer.unsign(token)
    except signing.BadSignature:
        return None
    booking = Booking.objects.filter(pk=booking_id, product=Product.ESIM).first()
    profile = OrderDetails.of(booking).profile if booking is not None else None
    return profile.lpa if profile is not None else None


def qr_svg(text: str) -> bytes:
    """`text` as a QR code that still reads with 15 % of it damaged, 8 pixels a module."""
    picture = io.BytesIO()
    segno.make_qr(text, error="m").save(picture, kind="svg", scale=8, light="#fff")
    return picture.getvalue()
