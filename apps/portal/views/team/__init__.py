"""The people of the account: who they are, what they may do, who is invited."""
