"""Webhooks that suppliers send us: verified, stored by id, answered at once. A webhook is only a hint that an object may have
changed; the object is then read from its supplier. The polls find what no webhook told.
"""
