"""For the templates of the back office, which Django's admin renders."""

from typing import Any

from django import template
from django.template.context import Context

from apps.accounts.models import User
from apps.portal.desk import desk_of
from apps.portal.views.theme import chosen_theme

register = template.Library()


@register.inclusion_tag("admin/desk.html", takes_context=True)
def desk(context: Context) -> dict[str, Any]:
    person = context["request"].user
    matters = desk_of(person) if isinstance(person, User) else []
    return {"matters": matters, "quiet": not any(matter.waits for matter in matters)}


@register.simple_tag(takes_context=True)
def theme_class(context: Context) -> str:
    """The stored choice of colours as a class: the admin's <html> takes no attribute of ours."""
    chosen = chosen_theme(context.get("request"))
    return "" if chosen == "system" else f"theme-{chosen}"
