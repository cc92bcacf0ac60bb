"""The list of deliveries, the page of one delivery, and the buttons that send one or several."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.accounts import clocks
from apps.common.errors import Conflict
from apps.portal.base_view import PortalView
from apps.portal.context import DEVELOPERS
from apps.portal.form_views import ObjectActionView, ObjectView
from apps.portal.list_tabs import tabs_of
from apps.portal.list_view import ListView
from apps.portal.webhooks.deliveries.forms import STATUSES, DeliveryFilters
from apps.portal.webhooks.deliveries.timeline import delivery_timeline
from apps.portal.webhooks.deliveries.words import tell_what_was_sent
from apps.webhooks.delivery_pages import page_of_deliveries, selected
from apps.webhooks.models import Delivery
from apps.webhooks.selectors import attempts_of, delivery_of, endpoints_of
from apps.webhooks.services.resend import resend
from apps.webhooks.services.send_now import send_now, send_several


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
            may_change=self.portal.has_role(DEVELOPERS),
            tabs=tabs_of(STATUSES, listed, form.value("status")),
        )


class DeliveriesSendView(PortalView):
    """Sends the deliveries that were ticked in the list."""

    section = "webhooks"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.back_to_list()

    def post(self, request: HttpRequest) -> HttpResponse:
        ticked = request.POST.getlist("delivery")
        if not ticked:
            messages.warning(request, "Tick the deliveries that you want to send.")
            return self.back_to_list()
        try:
            sent = send_several(self.portal.account_id, self.portal.environment, ticked)
        except Conflict as refusal:
            messages.error(request, refusal.message)
        else:
            tell_what_was_sent(request, sent)
        return self.back_to_list()

    def back_to_list(self) -> HttpResponse:
        """The page of the list that the form was on."""
        query = self.request.GET.urlencode()
        return redirect(self.portal.reverse("deliveries") + (f"?{query}" if query else ""))


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


class DeliverySendNowView(DeliveryView, ObjectActionView[Delivery]):
    def act(self, delivery: Delivery) -> HttpResponse:
        send_now(delivery=delivery)
        messages.success(self.request, "It is sent now. The answer appears below.")
        return self.back(delivery)


class DeliveryResendView(DeliveryView, ObjectActionView[Delivery]):
    def act(self, delivery: Delivery) -> HttpResponse:
        resend(delivery=delivery)
        messages.success(self.request, "It is sent once more, now. The answer appears below.")
        return self.back(delivery)
