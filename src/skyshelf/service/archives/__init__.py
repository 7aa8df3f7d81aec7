"""ZIP archives: of what somebody has chosen in their drive, and of shares."""
