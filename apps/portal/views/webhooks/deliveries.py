from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common import clock
from apps.gateway.errors import Conflict, NotFound
from apps.portal.delivery_story import story_of
from apps.portal.forms.webhooks import DeliveryFilters
from apps.portal.place import DEVELOPERS, PortalView
from apps.webhooks.delivery_pages import page_of_deliveries
from apps.webhooks.models import Delivery
from apps.webhooks.selectors import attempts_of, delivery_of, endpoints_of
from apps.webhooks.services.resend import resend


class Deliveries(PortalView):
    section = "webhooks"

    def get(self, request: HttpRequest) -> HttpResponse:
        account_id, environment = self.place.account.pk, self.place.environment
        endpoints = list(endpoints_of(account_id, environment))
        form = DeliveryFilters(request.GET, endpoints=endpoints)
        form.is_valid()
        cursor = request.GET.get("cursor") or None
        page = page_of_deliveries(account_id, environment, filters=form.filters(), cursor=cursor)
        return self.render(
            "portal/webhooks/deliveries.html",
            {
                "form": form,
                "page": page,
                "cursor": cursor,
                "narrowed": form.is_narrowed,
                "has_endpoints": bool(endpoints),
            },
        )


class DeliveryView(PortalView):
    section = "webhooks"

    def found(self, delivery_id: str) -> Delivery:
        try:
            return delivery_of(self.place.account.pk, self.place.environment, delivery_id)
        except NotFound:
            raise Http404 from None


class DeliveryPage(DeliveryView):
    def get(self, request: HttpRequest, delivery_id: str) -> HttpResponse:
        delivery = self.found(delivery_id)
        story = story_of(delivery, list(attempts_of(delivery)), clock.now())
        return self.render(
            "portal/webhooks/delivery.html",
            {"delivery": delivery, "story": story, "may_change": self.place.is_one_of(DEVELOPERS)},
        )


class ResendDelivery(DeliveryView):
    def get(self, request: HttpRequest, delivery_id: str) -> HttpResponse:
        """Who comes by the address, as after signing in anew, is led to the button."""
        return self.back(self.found(delivery_id))

    def post(self, request: HttpRequest, delivery_id: str) -> HttpResponse:
        delivery = self.found(delivery_id)
        try:
            resend(delivery=delivery)
        except Conflict as refusal:
            messages.error(request, refusal.message)
        else:
            messages.success(request, "It is sent once more, now. The answer appears below.")
        return self.back(delivery)

    def back(self, delivery: Delivery) -> HttpResponse:
        return redirect(self.place.reverse("delivery", delivery_id=delivery.pk))
