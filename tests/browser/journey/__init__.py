"""The steps of a partner's way through the portal, as somebody in front of a browser takes them."""
