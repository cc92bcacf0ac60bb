"""What the page of a document needs of its template."""

import base64

from django import template

register = template.Library()


@register.filter
def as_picture(svg: str) -> str:
    """The SVG as the address of a picture, which runs nothing that may be in it."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
