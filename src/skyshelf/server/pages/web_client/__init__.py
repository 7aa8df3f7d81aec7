"""The web client: pages that run in the browser, built from web/ and served from here."""
