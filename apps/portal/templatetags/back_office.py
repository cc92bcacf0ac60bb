"""Tags for the templates of the back office, which Django's admin renders."""

from datetime import datetime
from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse

from apps.accounts.models import Account, User
from apps.common import clock
from apps.portal.staff.glance import glances_of, tabs_of
from apps.portal.staff.menu import menu_of
from apps.portal.staff.to_do import may_act, to_do
from apps.portal.templatetags.portal import span
from apps.portal.theme import chosen_theme

register = template.Library()


@register.inclusion_tag("admin/to_do.html", name="to_do", takes_context=True)
def show_to_do(context: Context) -> dict[str, Any]:
    person = context["request"].user
    if not isinstance(person, User):
        return {}
    return {"groups": to_do(person), "may_act": may_act(person)}


@register.simple_tag
def waited(since: datetime) -> str:
    return str(span(clock.now() - since))


@register.inclusion_tag("admin/menu.html", takes_context=True)
def back_office_menu(context: Context) -> dict[str, Any]:
    """The lists that this person may see, in groups; the group of the page is open."""
    request = context["request"]
    found = menu_of(request.user, context.get("available_apps") or [], request.path)
    return {"groups": found, "at_first": request.path == reverse("admin:index")}


@register.simple_tag(takes_context=True)
def theme_class(context: Context) -> str:
    """The chosen theme as a class, because the admin's templates let us add no attribute to <html>."""
    chosen = chosen_theme(context.get("request"))
    return "" if chosen == "system" else f"theme-{chosen}"


@register.inclusion_tag("admin/account_glance.html", takes_context=True)
def account_glance(context: Context, account: Account) -> dict[str, Any]:
    person = context["request"].user
    if not isinstance(person, User):
        return {}
    return {"glances": glances_of(account, person), "tabs": tabs_of(account, person)}
