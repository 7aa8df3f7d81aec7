"""MkDocs calls this when it builds the site: the generated pages are rendered, so they are always current."""

from functools import cache

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from tools.generate.products import PAGES, render

# `mkdocs serve` rebuilds the site many times in one process, which imports the code only once.
_rendered = cache(render)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the generated pages, instead of those that `./dev docs` may have written earlier."""
    for name in PAGES:
        page = name.removeprefix("docs/")
        if (written := files.get_file_from_path(page)) is not None:
            files.remove(written)
        files.append(File.generated(config, page, content=_rendered(name)))
    return files
