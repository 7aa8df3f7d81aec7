"""What becomes of accounts: invitations, new passwords, and leaving."""
