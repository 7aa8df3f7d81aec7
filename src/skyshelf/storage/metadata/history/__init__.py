"""History: what objects were like, for as long as that is kept."""
