"""The buttons that let something happen to a test booking."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse

from apps.common.errors import GatewayError, NotFound
from apps.portal.bookings.views import BookingDetailView
from apps.portal.context import DEVELOPERS
from apps.sandbox.simulate import What, simulate

DONE = {
    What.SUPPLIER_CANCELS: "The supplier has cancelled it.",
    What.AIRLINE_MOVES: "The airline has moved the first flight.",
    What.SUPPLIER_CHANGES: "The supplier has altered it.",
    What.SETTLES: "What was open is settled.",
    What.NOT_MADE: "It turned out not to exist.",
}


class SimulateView(BookingDetailView):
    allowed_roles_to_post = DEVELOPERS

    def get(self, request: HttpRequest, booking_id: str) -> HttpResponse:
        return self.back(self.object_or_404(booking_id=booking_id))

    def post(self, request: HttpRequest, booking_id: str) -> HttpResponse:
        booking = self.object_or_404(booking_id=booking_id)
        what = request.POST.get("what", "")
        if what not in What.values:
            raise Http404
        try:
            simulate(booking, what)
        except NotFound:
            raise Http404 from None
        except GatewayError as refused:
            messages.error(request, refused.message)
        else:
            messages.success(request, DONE[What(what)])
        return self.back(booking)
