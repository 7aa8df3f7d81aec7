"""ZIP archives of a selection in the drive, and of shares."""
