"""The chat that gets the notifications of an environment: the address of its incoming webhook, and which kinds."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.portal.base_view import GET_AND_POST, PortalView
from apps.portal.context import DEVELOPERS
from apps.portal.form_views import CreateView
from apps.portal.notifications.choose import chat_of, remove_chat, set_chat
from apps.portal.notifications.forms import ChatForm


class ChatView(CreateView):
    section = "notifications"
    allowed_roles = DEVELOPERS
    reauthenticated_methods = GET_AND_POST
    template, form_class, error_fields = "portal/notifications/chat.html", ChatForm, {"url": "url"}

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(self.form())

    def post(self, request: HttpRequest) -> HttpResponse:
        return self.answered(self.form(request.POST))

    def form(self, data: Any = None) -> ChatForm:
        portal = self.portal
        chat = chat_of(portal.account, portal.environment)
        return ChatForm(data, environment=portal.environment, currency=portal.account.currency, choice=chat)

    def create(self, form: ChatForm) -> HttpResponse:
        portal = self.portal
        set_chat(
            account=portal.account,
            environment=portal.environment,
            url=form.cleaned_data["url"],
            kinds=form.cleaned_data["kinds"],
            balance_below_cents=form.balance_below_cents,
            actor=self.actor,
        )
        messages.success(self.request, "Saved. Problems that exist now are told within two minutes.")
        return redirect(portal.reverse("notifications"))

    def extra_context(self) -> dict[str, Any]:
        return {"chat": chat_of(self.portal.account, self.portal.environment)}


class ChatRemoveView(PortalView):
    section = "notifications"
    allowed_roles = DEVELOPERS

    def get(self, request: HttpRequest) -> HttpResponse:
        return redirect(self.portal.reverse("notifications"))

    def post(self, request: HttpRequest) -> HttpResponse:
        portal = self.portal
        remove_chat(account=portal.account, environment=portal.environment, actor=self.actor)
        messages.success(request, "The chat is disconnected.")
        return redirect(portal.reverse("notifications"))
