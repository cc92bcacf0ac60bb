"""The steps of a partner's journey through the portal, as a person takes them in a browser."""
