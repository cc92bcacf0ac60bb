"""The list of deliveries, the page of one delivery, and its button to send it again."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from apps.accounts import clocks
from apps.portal.context import DEVELOPERS
from apps.portal.form_views import ObjectActionView, ObjectView
from apps.portal.list_tabs import tabs_of
from apps.portal.list_view import ListView
from apps.portal.webhooks.deliveries.forms import STATUSES, DeliveryFilters
from apps.portal.webhooks.deliveries.timeline import delivery_timeline
from apps.webhooks.delivery_pages import page_of_deliveries, selected
from apps.webhooks.models import Delivery
from apps.webhooks.selectors import attempts_of, delivery_of, endpoints_of
from apps.webhooks.services.resend import resend


class DeliveryListView(ListView):
    list_name = "deliveries"
    section = "webhooks"

    def get(self, request: HttpRequest) -> HttpResponse:
        account_id, environment = self.portal.account_id, self.portal.environment
        endpoints = list(endpoints_of(account_id, environment))
        form = DeliveryFilters(request.GET, endpoints=endpoints)
        if self.newest_seen is not None:
            return self.count_newer(selected(account_id, environment, form.filters()))
        page = page_of_deliveries(account_id, environment, filters=form.filters(), cursor=self.cursor)
        listed = {
            status: selected(account_id, environment, form.filters(status=status)) for status in STATUSES
        }
        return self.render_list(
            "portal/webhooks/deliveries/index.html",
            form,
            page,
            has_endpoints=bool(endpoints),
            tabs=tabs_of(STATUSES, listed, form.value("status")),
        )


class DeliveryView(ObjectView[Delivery]):
    """A page about one delivery."""

    section = "webhooks"

    def get_object(self, delivery_id: str) -> Delivery:
        return delivery_of(self.portal.account_id, self.portal.environment, delivery_id)

    def address_of(self, delivery: Delivery) -> str:
        return self.portal.reverse("delivery", delivery_id=delivery.pk)


class DeliveryDetailView(DeliveryView):
    def get(self, request: HttpRequest, delivery_id: str) -> HttpResponse:
        delivery = self.object_or_404(delivery_id=delivery_id)
        timeline = delivery_timeline(delivery, list(attempts_of(delivery)), clocks.now_here())
        return self.render(
            "portal/webhooks/deliveries/detail.html",
            {"delivery": delivery, "timeline": timeline, "may_change": self.portal.has_role(DEVELOPERS)},
        )


class DeliveryResendView(DeliveryView, ObjectActionView[Delivery]):
    def act(self, delivery: Delivery) -> HttpResponse:
        resend(delivery=delivery)
        messages.success(self.request, "It is sent once more, now. The answer appears below.")
        return self.back(delivery)
