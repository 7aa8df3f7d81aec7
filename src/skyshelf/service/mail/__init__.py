"""Messages by email: invitations, and links for a new password."""
