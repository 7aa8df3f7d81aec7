"""Pages and calls between the browser, a login provider and this server; the use cases are in `service/identity`."""
