"""The word of the document that OpenAPI does not define. `descriptions.SINCE` is the other one."""

# Values known today; others may follow (the Zalando guidelines' keyword, which generators take for a plain string).
OPEN = "x-extensible-enum"
