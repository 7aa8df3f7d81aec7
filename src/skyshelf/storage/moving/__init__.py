"""Moving a whole store to another database and other blobs, while people go on reading."""
