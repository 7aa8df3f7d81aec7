"""Records of the metadata store, which its nouns (sql/) and their callers share."""
