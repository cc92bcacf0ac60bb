"""The words of the document that OpenAPI does not define."""

# Values known today; others may follow (the Zalando guidelines' keyword, which generators take for a plain string).
OPEN = "x-extensible-enum"

# The release that added what is marked; what is not was there in 1.1.
SINCE = "x-since"
