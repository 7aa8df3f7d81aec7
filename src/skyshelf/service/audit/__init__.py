"""The audit trail: an append-only record of logins, failures, shares, downloads by link, deletions and admin acts."""
