"""Tags for the templates of the documentation."""

from django import template

from apps.docs.rendering import in_line

register = template.Library()
register.filter("in_line", in_line)
