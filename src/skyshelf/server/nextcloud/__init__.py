"""The dialect of Nextcloud's clients, at the addresses that they use.

Files are served by `server/dav`; this package has what differs: ids and properties, small calls besides WebDAV (OCS),
the login in a browser, chunked uploads, and the lists of trash and versions. Only what is offered is announced.
"""
