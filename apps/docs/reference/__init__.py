"""The API reference: one page an operation, drawn from the OpenAPI document, readable without scripts."""
