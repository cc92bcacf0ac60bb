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
from django.http import Http404, HttpRequest, HttpResponse
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


class CreateView(PortalView, ABC):
    """A form that creates something. `create` calls the service and returns where to go next."""

    template: ClassVar[str]
    form_class: ClassVar[type[forms.Form]]
    error_fields: ClassVar[Mapping[str, str]] = {}
    """The form's field for each field of the service that has another name there."""

    @abstractmethod
    def create(self, form: Any) -> HttpResponse:
        """May raise InvalidRequest, Conflict and RateLimitExceeded: each is shown on the form."""

    def extra_context(self) -> dict[str, Any]:
        return {}

    def form(self, data: Any = None) -> forms.Form:
        return self.form_class(data)

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(self.form())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = self.form(request.POST)
        if form.is_valid():
            try:
                return self.create(form)
            except InvalidRequest as refusal:
                add_errors(form, refusal, self.error_fields)
            except (Conflict, RateLimitExceeded) as refusal:
                form.add_error(None, refusal.message)
        return self.page(form, status=400)

    def page(self, form: forms.Form, *, status: int = 200) -> HttpResponse:
        return self.render(self.template, {"form": form, **self.extra_context()}, status=status)


class ObjectView(PortalView, Generic[T]):
    """A page about one object of the account, which the address names. Returns 404 for an unknown one."""

    find: ClassVar[Any]
    """The selector: by account row, environment and id. Raises NotFound."""
    page_name: ClassVar[str]
    """The URL name of the object's page, to which changes return."""

    def get_object(self, *args: Any, **ids: Any) -> T:
        """`ids` are those of the address. Raises NotFound if the account has no such object."""
        found: T = type(self).find(*self.portal.stored, *ids.values())
        return found

    def object_or_404(self, **ids: Any) -> T:
        try:
            return self.get_object(**ids)
        except NotFound:
            raise Http404 from None

    def address_of(self, obj: T) -> str:
        return address_of_object(self.page_name, self.portal.environment, obj.pk)  # type: ignore[attr-defined]

    def back(self, obj: T) -> HttpResponse:
        return redirect(self.address_of(obj))

    def done(self, obj: T, message: str) -> HttpResponse:
        messages.success(self.request, message)
        return self.back(obj)


class ObjectFormView(ObjectView[T], ABC):
    """A form about one object. `change` calls the service and returns where to go next."""

    object_name: ClassVar[str] = "object"
    template: ClassVar[str]
    form_class: ClassVar[type[forms.Form]] = forms.Form
    error_fields: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def change(self, obj: T, form: Any) -> HttpResponse:
        """May raise InvalidRequest, Conflict and RateLimitExceeded, and NotFound where the object was deleted meanwhile."""

    def initial(self, obj: T) -> dict[str, Any]:
        return {}

    def extra_context(self, obj: T) -> dict[str, Any]:
        return {}

    def form(self, obj: T, data: Any = None) -> forms.Form:
        return self.form_class(data, initial=self.initial(obj))

    def get(self, request: HttpRequest, **ids: Any) -> HttpResponse:
        obj = self.object_or_404(**ids)
        return self.page(obj, self.form(obj))

    def post(self, request: HttpRequest, **ids: Any) -> HttpResponse:
        obj = self.object_or_404(**ids)
        form = self.form(obj, request.POST)
        if form.is_valid():
            try:
                return self.change(obj, form)
            except InvalidRequest as refusal:
                add_errors(form, refusal, self.error_fields)
            except Conflict as refusal:
                return self.conflict(obj, form, refusal)
            except RateLimitExceeded as refusal:
                form.add_error(None, refusal.message)
            except NotFound:
                raise Http404 from None
        return self.page(obj, form, status=400)

    def conflict(self, obj: T, form: forms.Form, refusal: Conflict) -> HttpResponse:
        """The object's state does not allow the change."""
        form.add_error(None, refusal.message)
        return self.page(obj, form, status=400)

    def page(self, obj: T, form: forms.Form, *, status: int = 200) -> HttpResponse:
        shown = {self.object_name: obj, "form": form, **self.extra_context(obj)}
        return self.render(self.template, shown, status=status)


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
    def question(self, obj: T) -> Question:
        """What the page asks."""

    def extra_context(self, obj: T) -> dict[str, Any]:
        return {"question": self.question(obj), "back": self.address_of(obj)}


class ObjectActionView(ObjectView[T], ABC):
    """A button on an object's page. A GET, as it follows after the password was asked for again, returns to that page."""

    @abstractmethod
    def act(self, obj: T) -> HttpResponse:
        """May raise Conflict, which becomes a message, and NotFound where the object was deleted meanwhile."""

    def get(self, request: HttpRequest, **ids: Any) -> HttpResponse:
        return self.back(self.object_or_404(**ids))

    def post(self, request: HttpRequest, **ids: Any) -> HttpResponse:
        obj = self.object_or_404(**ids)
        try:
            return self.act(obj)
        except Conflict as refusal:
            messages.error(request, refusal.message)
            return self.back(obj)
        except NotFound:
            raise Http404 from None


SESSION_KEY = "portal_shown_once"


def store_secret(request: HttpRequest, owner_id: str, secret: str) -> None:
    """Keep `secret` of the key or endpoint `owner_id` for its page. A second secret replaces the first."""
    request.session[SESSION_KEY] = {"of": owner_id, "secret": encrypt(secret)}


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
        """The secret of `owner_id`; None, with the message, if there is none any more."""
        secret = take_secret(self.request, owner_id)
        if secret is None:
            messages.info(self.request, self.already_shown)
        return secret
