"""Answers with the bytes of files: originals, thumbnails and archives."""
