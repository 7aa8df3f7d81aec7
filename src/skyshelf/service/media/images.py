"""Pictures: thumbnails and capture dates, by Pillow; and the first pages of PDFs as thumbnails, by PDFium."""

from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pillow_heif
from PIL import ExifTags, Image

from skyshelf.service.media import protocol
from skyshelf.service.media.capture import CaptureTime, Place, exif_date, offset_minutes, place_of
from skyshelf.storage.metadata.contracts.files import MediaFacts

pillow_heif.register_heif_opener(thumbnails=False)

# Pillow rejects larger pictures by their header, and small files that unpack to more as well.
Image.MAX_IMAGE_PIXELS = protocol.MOST_PIXELS // 2  # it raises at twice this number

FORMATS = ["JPEG", "PNG", "WEBP", "GIF", "TIFF", "HEIF", "AVIF", "BMP", "MPO"]
_SCALED_WHILE_DECODED = {"JPEG", "MPO"}
_STRIP_PIXELS = 1_000_000

_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

_LYING = frozenset({5, 6, 7, 8})


def render(path: str, size: int, budget: int) -> Image.Image:
    """Fit the picture into a square of that size; TooHeavyError if decoding it needs more bytes than the budget."""
    # Opened here and not by Pillow, which would map an uncompressed picture into memory.
    with Path(path).open("rb") as file, Image.open(file, formats=FORMATS) as image:
        pixels = image.width * image.height
        # JPEG can be decoded at a fraction of its size for a fraction of the work.
        image.draft("RGB", (size, size))
        needed = _needed(image, pixels)
        if needed > budget:
            raise protocol.TooHeavyError
        try:
            return _heif(file, size) if image.format == "HEIF" else _upright(image, size)
        except Exception as problem:
            # Not every library reports a lack of memory as such.
            if needed > budget // 2:
                raise protocol.TooHeavyError from problem
            raise


def _upright(image: Image.Image, size: int) -> Image.Image:
    small = shrunk(image, size)
    turn = _UPRIGHT.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    return flattened(small if turn is None else small.transpose(turn))


def _needed(image: Image.Image, pixels: int) -> int:
    """Estimate the peak memory of decoding, in bytes."""
    if image.format in _SCALED_WHILE_DECODED:
        whole = pixels * protocol.PROGRESSIVE_BYTES_PER_PIXEL if "progressive" in image.info else 0
        return whole + image.width * image.height * 4
    # Pillow uses four bytes for a pixel with more than one band.
    of_mode = 1 if image.mode in {"1", "L", "P"} else 4
    return pixels * protocol.BYTES_PER_PIXEL.get(image.format or "", of_mode)


def _heif(file: IO[bytes], size: int) -> Image.Image:
    """Shrink the decoder's output strip by strip: a whole Pillow image would take twice the memory."""
    file.seek(0)
    heif = pillow_heif.open_heif(file)
    width, height = heif.size
    data, stride, mode = memoryview(heif.data), heif.stride, heif.mode

    def rows(top: int, bottom: int) -> Image.Image:
        piece = data[top * stride : bottom * stride]
        return Image.frombytes(mode, (width, bottom - top), piece, "raw", mode, stride)

    # The decoder has already applied the rotation.
    return flattened(_reduced(rows, (width, height), size, has_alpha="A" in mode))


def shrunk(image: Image.Image, size: int) -> Image.Image:
    """Fit the image into the square, never enlarged, in RGB or RGBA."""
    has_alpha = "A" in image.getbands() or "transparency" in image.info
    image.load()
    width = image.width
    return _reduced(lambda top, bottom: image.crop((0, top, width, bottom)), image.size, size, has_alpha=has_alpha)


def _reduced(
    rows: Callable[[int, int], Image.Image], full: tuple[int, int], size: int, *, has_alpha: bool
) -> Image.Image:
    """Reduce strip by strip, so only one strip at a time exists in full size beside the original."""
    width, height = full
    mode = "RGBA" if has_alpha else "RGB"
    factor = max(1, max(width, height) // (2 * size))
    small = Image.new(mode, (-(-width // factor), -(-height // factor)))
    step = factor * max(1, _STRIP_PIXELS // (width * factor))
    for top in range(0, height, step):
        strip = rows(top, min(height, top + step)).convert(mode)
        small.paste(strip.reduce(factor) if factor > 1 else strip, (0, top // factor))
    small.thumbnail((size, size), Image.Resampling.BILINEAR, reducing_gap=2.0)
    return small


def flattened(image: Image.Image) -> Image.Image:
    """Put the image on a white background."""
    if image.mode != "RGBA":
        return image.convert("RGB")
    paper = Image.new("RGB", image.size, "white")
    paper.paste(image, mask=image.getchannel("A"))
    return paper


def taken(path: str) -> CaptureTime | None:
    """Return when the picture was taken, according to the camera."""
    with Path(path).open("rb") as file, Image.open(file, formats=FORMATS) as image:
        exif = _exif(image)
        details = exif.get_ifd(ExifTags.IFD.Exif)
        for time_tag, offset_tag in (
            (ExifTags.Base.DateTimeOriginal, ExifTags.Base.OffsetTimeOriginal),
            (ExifTags.Base.DateTimeDigitized, ExifTags.Base.OffsetTimeDigitized),
        ):
            found = exif_date(details.get(time_tag), details.get(offset_tag))
            if found:
                return found
        return exif_date(exif.get(ExifTags.Base.DateTime), None)


def facts(path: str) -> MediaFacts:
    """Return the picture's size, turned upright, and where it was taken."""
    with Path(path).open("rb") as file, Image.open(file, formats=FORMATS) as image:
        exif = _exif(image)
        width, height = image.size
        # The HEIF decoder has already turned it.
        if image.format != "HEIF" and exif.get(ExifTags.Base.Orientation, 1) in _LYING:
            width, height = height, width
        details, gps = exif.get_ifd(ExifTags.IFD.Exif), exif.get_ifd(ExifTags.IFD.GPSInfo)
        offsets = (details.get(ExifTags.Base.OffsetTimeOriginal), details.get(ExifTags.Base.OffsetTimeDigitized))
        offset = next((found for one in offsets if (found := offset_minutes(one)) is not None), None)
        latitude, longitude = _place(gps) or (None, None)
        return MediaFacts(width, height, latitude, longitude, offset)


def _place(gps: dict[int, Any]) -> Place | None:
    tags = ExifTags.GPS
    try:
        latitude = [float(part) for part in gps.get(tags.GPSLatitude) or ()]
        longitude = [float(part) for part in gps.get(tags.GPSLongitude) or ()]
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    return place_of(latitude, gps.get(tags.GPSLatitudeRef), longitude, gps.get(tags.GPSLongitudeRef))


def _exif(image: Image.Image) -> Image.Exif:
    """Read the metadata before the pixels. For a PNG, Pillow would also look behind them, and decode them for that."""
    is_small = _needed(image, image.width * image.height) <= protocol.LIGHT.pixels // 4
    return image.getexif() if is_small else Image.Image.getexif(image)


def render_pdf(path: str, size: int, budget: int) -> Image.Image | None:
    import pypdfium2  # imported here because most workers never see a PDF

    # Embedded pictures are decoded at full size, whatever they are scaled to; only the process is limited.
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
