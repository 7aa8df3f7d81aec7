"""The API reference: the OpenAPI document, and a page that shows it to people."""
