"""The web client: pages that a browser runs, built from web/ and sent from here."""
