"""The file system `skyshelf://` for Python's data tools, through fsspec.

Reads fetch ranges as they are needed; a file that is open sees one content, whatever happens to it on the server.
Writes go to a temporary file and are uploaded when it is closed: others see the old content or the new one, and a
program that fails in a `with` block leaves the old one.
"""

from skyshelf.desktop.filesystem.drive import SkyshelfFileSystem as SkyshelfFileSystem
