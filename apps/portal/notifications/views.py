"""What the person who reads this page is mailed of this environment."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.portal.base_view import PortalView
from apps.portal.context import DEVELOPERS, EVERYONE
from apps.portal.models import NotificationChoice
from apps.portal.notifications.choose import chat_of, choose
from apps.portal.notifications.forms import NotificationsForm


class NotificationsView(PortalView):
    section = "notifications"
    allowed_roles_to_post = EVERYONE

    def get(self, request: HttpRequest) -> HttpResponse:
        portal = self.portal
        choices = NotificationChoice.objects.filter(
            membership=portal.membership, environment=portal.environment
        )
        return self.page(self.form(choice=choices.first()))

    def post(self, request: HttpRequest) -> HttpResponse:
        form, portal = self.form(request.POST), self.portal
        if not form.is_valid():
            return self.page(form, status=400)
        choose(
            membership=portal.membership,
            environment=portal.environment,
            kinds=form.cleaned_data["kinds"],
            balance_below_cents=form.balance_below_cents,
        )
        messages.success(request, "Saved. Problems that exist now are mailed within two minutes.")
        return redirect(portal.reverse("notifications"))

    def form(self, data: object = None, choice: NotificationChoice | None = None) -> NotificationsForm:
        portal = self.portal
        return NotificationsForm(
            data, environment=portal.environment, currency=portal.account.currency, choice=choice
        )

    def page(self, form: NotificationsForm, *, status: int = 200) -> HttpResponse:
        portal = self.portal
        context = {
            "form": form,
            "chat": chat_of(portal.account, portal.environment),
            "may_change_chat": portal.has_role(DEVELOPERS),
        }
        return self.render("portal/notifications/index.html", context, status=status)
