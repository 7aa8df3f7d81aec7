"""PDFs: the first page as a thumbnail, by PDFium."""

import pypdfium2
from PIL import Image

from skyshelf.service.media.images import flattened


def render(path: str, size: int, budget: int) -> Image.Image | None:
    # Its pictures are decoded at their full size, whatever they are scaled to; only the process is limited.
    del budget
    document = pypdfium2.PdfDocument(path)
    try:
        if len(document) == 0:
            return None
        page = document[0]
        width, height = page.get_size()
        if width <= 0 or height <= 0:
            return None
        scale = size / max(width, height)
        image = page.render(scale=scale, may_draw_forms=False).to_pil()
        image.thumbnail((size, size))
        return flattened(image)
    finally:
        document.close()
