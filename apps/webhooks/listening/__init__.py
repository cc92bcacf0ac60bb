"""Forward a test partner's deliveries to a URL on the partner's own machine: what `manage.py listen` does.

`api` reads the partner's deliveries through the public API, so it runs anywhere. `listener` passes each event on once, with fresh
signatures of a secret that is the listener's own. `position` keeps in a file how far it came, so that what happened meanwhile is
forwarded after a restart.
"""
