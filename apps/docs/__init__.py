"""The public documentation at /docs: guides, errors one by one, the changelog, the API reference."""
