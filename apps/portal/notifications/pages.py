"""The choice of notifications of a member, and of the account's chat."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common.forms import MoneyField
from apps.common.money import in_words
from apps.ledger.models import MOST_CENTS, Wallet
from apps.portal.base import GET_AND_POST, PortalView
from apps.portal.context import DEVELOPERS, EVERYONE, FINANCE, PortalContext
from apps.portal.forms import FormView
from apps.portal.models import NotificationChoice
from apps.portal.notifications.tell import chat_of, choice_of, choose, remove_chat, set_chat
from apps.portal.notifications.troubles import Kind, kinds_in
from apps.webhooks.target import MAX_LENGTH


class NotificationsForm(forms.Form):
    kinds = forms.MultipleChoiceField(
        label="Mail me when", required=False, widget=forms.CheckboxSelectMultiple
    )
    balance_below = forms.DecimalField(localize=False)

    def __init__(
        self, data: Any = None, *, portal: PortalContext, choice: NotificationChoice | None = None
    ) -> None:
        super().__init__(data)
        below = warned_below(portal)
        kinds: Any = self.fields["kinds"]
        kinds.choices = [(str(kind), kind.label) for kind in self.offered(portal)]
        kinds.initial = sorted(choice.wanted) if choice else []
        self.fields["balance_below"] = MoneyField(
            label=f"Low balance means below, in {portal.account.currency}",
            required=False,
            currency=portal.account.currency,
            most_cents=MOST_CENTS,
            cents=choice.balance_below_cents if choice else None,
            help_text=f"Leave it empty for the account’s amount{', ' if below else ''}{below}.",
        )

    def offered(self, portal: PortalContext) -> list[Kind]:
        return kinds_in(portal.environment, portal.account)


def warned_below(portal: PortalContext) -> str:
    """`500.00 EUR`, below which the account warns; nothing where it warns never."""
    account_id, environment = portal.stored
    wallet = Wallet.objects.filter(account=account_id, environment=environment).first()
    return in_words(wallet.warn_below_cents, wallet.currency) if wallet and wallet.warn_below_cents else ""


class ChatForm(NotificationsForm):
    """The same for the account's chat. The address is never shown again; left empty it stays."""

    url = forms.CharField(
        label="Address of its incoming webhook",
        required=False,
        max_length=MAX_LENGTH,
        widget=forms.TextInput(
            attrs={"class": "mono", "inputmode": "url", "autocomplete": "off", "placeholder": "https://"}
        ),
        help_text="It receives a POST of JSON with one field, “text”.",
    )
    field_order = ["url", "kinds", "balance_below"]

    def __init__(self, data: Any = None, **named: Any) -> None:
        super().__init__(data, **named)
        self.fields["kinds"].label = "Send to the chat when"
        self.order_fields(self.field_order)

    def offered(self, portal: PortalContext) -> list[Kind]:
        """Figures of the account are for its members."""
        return [kind for kind in super().offered(portal) if kind != Kind.STATEMENT]


class NotificationsView(FormView):
    section = "notifications"
    allowed_roles_to_post = EVERYONE
    template, form_class = "portal/notifications/index.html", NotificationsForm

    def form(self, data: Any = None) -> NotificationsForm:
        portal = self.portal
        return NotificationsForm(data, portal=portal, choice=choice_of(portal.membership, portal.environment))

    def save(self, form: NotificationsForm) -> HttpResponse:
        portal = self.portal
        choose(
            membership=portal.membership,
            environment=portal.environment,
            kinds=form.cleaned_data["kinds"],
            balance_below_cents=form.cleaned_data["balance_below"],
        )
        messages.success(self.request, "Saved. Problems that exist now are mailed within two minutes.")
        return redirect(portal.reverse("notifications"))

    def extra_context(self) -> dict[str, Any]:
        portal = self.portal
        return {
            "chat": chat_of(portal.account, portal.environment),
            "may_change_chat": portal.has_role(DEVELOPERS),
            "warned_below": warned_below(portal),
            "may_warn": portal.has_role(FINANCE),
        }


class ChatView(FormView):
    section = "notifications"
    allowed_roles = DEVELOPERS
    reauthenticated_methods = GET_AND_POST
    template, form_class = "portal/notifications/chat.html", ChatForm
    keeps_unsent = False  # the channel's address is a secret

    def form(self, data: Any = None) -> ChatForm:
        portal = self.portal
        chat = chat_of(portal.account, portal.environment)
        return ChatForm(data, portal=portal, choice=chat)

    def save(self, form: ChatForm) -> HttpResponse:
        portal = self.portal
        set_chat(
            account=portal.account,
            environment=portal.environment,
            url=form.cleaned_data["url"],
            kinds=form.cleaned_data["kinds"],
            balance_below_cents=form.cleaned_data["balance_below"],
            actor=self.actor,
        )
        messages.success(self.request, "Saved. Existing problems are reported within two minutes.")
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
