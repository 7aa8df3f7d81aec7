"""The dialect of Nextcloud's clients, under the addresses that they know.

Files are served by `server/dav`; here is what differs: ids and properties, the small calls besides WebDAV (OCS), the
login in a browser, uploads in parts, and the lists of trash and versions. What is not offered is not announced.
"""
