"""The page Sandbox: the test environments of an account, and the controls of the one that is shown."""
