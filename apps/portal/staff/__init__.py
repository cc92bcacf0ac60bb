"""The back office's own pages: the search over all accounts, the account at a glance, a partner's portal to read."""
