"""Who may be connected: how many connections there can be, which of them are closed, and which requests are refused."""
