"""Forward a test partner's events to a URL on the partner's own machine: what `manage.py listen` does.

`api` reads the partner's feed of events through the public API, so it runs anywhere. `listener` passes each event on once, with
fresh signatures of a secret that is the listener's own. `position` keeps in a file how far it came, so that what happened
meanwhile is forwarded after a restart.
"""
