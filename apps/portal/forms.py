"""Pages with a form: confirming, creating, changing; and the secret that is shown once."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from cryptography.fernet import InvalidToken
from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from apps.common.encryption import decrypt, encrypt
from apps.common.errors import Conflict, InvalidRequest, NotFound, RateLimitExceeded
from apps.portal.base import PortalView
from apps.portal.context import DEVELOPERS
from apps.portal.navigation import address_of_object


def add_errors(form: forms.Form, refusal: InvalidRequest, fields: Mapping[str, str]) -> None:
    """Add each detail of `refusal` to the field of `form` that has the same name in snake_case, else the one in `fields`.

    A detail about any other field, or a hidden one, is shown above the form.
    """
    details = refusal.extras["details"] or [{"field": "", "message": refusal.message}]
    for detail in details:  # type: ignore[attr-defined]
        named = detail["field"].partition(".")[0]
        field = fields.get(named) or re.sub("([A-Z])", r"_\1", named).lower()
        is_visible = field in form.fields and not form.fields[field].widget.is_hidden
        form.add_error(field if is_visible else None, detail["message"])


T = TypeVar("T")


class FormView(PortalView, ABC):
    """A form. `save` calls the service and returns where to go next."""

    template: ClassVar[str]
    form_class: ClassVar[type[forms.Form]] = forms.Form
    error_fields: ClassVar[Mapping[str, str]] = {}
    """The form's field for each field of the service that has another name there."""
    keeps_unsent = True

    @abstractmethod
    def save(self, form: Any) -> HttpResponse:
        """May raise InvalidRequest, Conflict and RateLimitExceeded, and NotFound where the object was deleted meanwhile."""

    def initial(self) -> dict[str, Any]:
        return {}

    def extra_context(self) -> dict[str, Any]:
        return {}

    def form(self, data: Any = None) -> forms.Form:
        return self.form_class(data, initial=self.initial())

    def get(self, request: HttpRequest) -> HttpResponse:
        unsent = self.unsent
        if unsent is not None and unsent.path == request.path and unsent.values and unsent.account:
            self.is_restored = True
            return self.page(self.form(unsent.values))
        return self.page(self.form())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = self.form(request.POST)
        if form.is_valid():
            try:
                return self.save(form)
            except InvalidRequest as refusal:
                add_errors(form, refusal, self.error_fields)
            except Conflict as refusal:
                return self.conflict(form, refusal)
            except RateLimitExceeded as refusal:
                form.add_error(None, refusal.message)
            except NotFound:
                raise Http404 from None
        return self.page(form, status=400)

    def conflict(self, form: forms.Form, refusal: Conflict) -> HttpResponse:
        """The state of things does not allow it."""
        form.add_error(None, refusal.message)
        return self.page(form, status=400)

    def page(self, form: forms.Form, *, status: int = 200) -> HttpResponse:
        return self.render(self.template, {"form": form, **self.extra_context()}, status=status)


class ObjectView(PortalView, Generic[T]):
    """A page about one object of the account, which the address names. Returns 404 for an unknown one."""

    name: ClassVar[str] = "object"
    """What templates call it, and the URL name of its page."""
    find: ClassVar[Any]
    """The selector: by account row, environment and id. Raises NotFound."""
    template: ClassVar[str]
    object: T

    def respond(self, request: HttpRequest, *args: Any, **ids: Any) -> HttpResponseBase:
        try:
            self.object = self.get_object(**ids)
        except NotFound:
            raise Http404 from None
        return super().respond(request)

    def get_object(self, *args: Any, **ids: Any) -> T:
        """`ids` are those of the address. Raises NotFound if the account has no such object."""
        found: T = type(self).find(*self.portal.stored, *ids.values())
        return found

    def extra_context(self) -> dict[str, Any]:
        return {}

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.render(self.template, self.extra_context())

    def layout_context(self) -> dict[str, Any]:
        return {**super().layout_context(), self.name: self.object}

    def address(self) -> str:
        """That of the object's page, to which changes return."""
        return address_of_object(self.name, self.portal.environment, self.object.pk)  # type: ignore[attr-defined]

    def back(self) -> HttpResponse:
        return redirect(self.address())

    def done(self, message: str) -> HttpResponse:
        messages.success(self.request, message)
        return self.back()


class ObjectFormView(FormView, ObjectView[T]):
    """A form about one object."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a confirmation page says. `button` is its label."""

    heading: str
    warning: str
    button: str
    consequences: Sequence[str] = ()
    is_harmless: bool = False


class ConfirmView(ObjectFormView[T]):
    """The page before a change that cannot be undone."""

    template = "portal/confirm.html"

    @abstractmethod
    def question(self) -> Question:
        """What the page asks."""

    def extra_context(self) -> dict[str, Any]:
        return {"question": self.question(), "back": self.address()}


class ObjectActionView(ObjectView[T], ABC):
    """A button on an object's page. A GET, as it follows after the password was asked for again, returns to that page."""

    @abstractmethod
    def act(self) -> HttpResponse:
        """May raise Conflict, which becomes a message, and NotFound where the object was deleted meanwhile."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.back()

    def post(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.act()
        except Conflict as refusal:
            messages.error(request, refusal.message)
            return self.back()
        except NotFound:
            raise Http404 from None


SESSION_KEY = "portal_shown_once"


def show_secret(view: PortalView, page_name: str, owner_id: str, secret: str) -> HttpResponse:
    """Keep `secret` of the key or endpoint `owner_id` for its page, and go there. A second secret replaces the first."""
    view.request.session[SESSION_KEY] = {"of": owner_id, "secret": encrypt(secret)}
    return redirect(address_of_object(page_name, view.portal.environment, owner_id))


def take_secret(request: HttpRequest, owner_id: str) -> str | None:
    """The secret of `owner_id`, once. None if it was shown already, or belongs to another owner."""
    stored = request.session.get(SESSION_KEY)
    if not stored or stored["of"] != owner_id:
        return None
    del request.session[SESSION_KEY]
    with suppress(InvalidToken):  # the encryption key was retired in between
        return decrypt(stored["secret"])
    return None


class SecretView(PortalView):
    """A page that shows a new secret once."""

    http_method_names = ["get"]  # a HEAD request would use the secret up unseen
    allowed_roles = DEVELOPERS
    reauthenticated_methods = frozenset({"GET"})
    already_shown: ClassVar[str]

    def take_secret(self, owner_id: str) -> str | None:
        """The secret of `owner_id`; None, with the message, if it is gone."""
        secret = take_secret(self.request, owner_id)
        if secret is None:
            messages.info(self.request, self.already_shown)
        return secret
