"""Pictures: thumbnails and capture dates, by Pillow."""

import re
from datetime import UTC, datetime, timedelta, timezone

import pillow_heif
from PIL import ExifTags, Image, ImageOps

pillow_heif.register_heif_opener(thumbnails=False)

# 200 megapixels: more than any camera has, and as much as fits into a worker's memory. Pillow rejects larger pictures
# by their header, and small files that unpack to more as well.
MOST_PIXELS = 200_000_000
Image.MAX_IMAGE_PIXELS = MOST_PIXELS // 2  # Pillow raises at twice this number

FORMATS = ["JPEG", "PNG", "WEBP", "GIF", "TIFF", "HEIF", "AVIF", "BMP", "MPO"]

Taken = tuple[int, int]
_EXIF_TIME = re.compile(r"^(\d{4}):(\d\d):(\d\d)[ T](\d\d):(\d\d):(\d\d)")
_OFFSET = re.compile(r"^([+-])(\d\d):(\d\d)$")


def render(path: str, size: int) -> Image.Image:
    with Image.open(path, formats=FORMATS) as image:
        # JPEG can be decoded at a fraction of its size for a fraction of the work.
        image.draft("RGB", (size, size))
        return flattened(ImageOps.exif_transpose(shrunk(image, size)))


def shrunk(image: Image.Image, size: int) -> Image.Image:
    """The image within the square, never enlarged; alpha and palettes are kept for flattened()."""
    has_alpha = "A" in image.getbands() or "transparency" in image.info
    small = image.convert("RGBA" if has_alpha else "RGB")
    exif = image.getexif()
    small.thumbnail((size, size), Image.Resampling.BILINEAR, reducing_gap=2.0)
    small.info["exif"] = exif.tobytes() if exif else b""
    if not small.info["exif"]:
        del small.info["exif"]
    return small


def flattened(image: Image.Image) -> Image.Image:
    """The image on a white background."""
    if image.mode != "RGBA":
        return image.convert("RGB")
    paper = Image.new("RGB", image.size, "white")
    paper.paste(image, mask=image.getchannel("A"))
    return paper


def taken(path: str) -> Taken | None:
    """When the picture was taken, according to the camera."""
    with Image.open(path, formats=FORMATS) as image:
        exif = image.getexif()
        details = exif.get_ifd(ExifTags.IFD.Exif)
        for time_tag, offset_tag in (
            (ExifTags.Base.DateTimeOriginal, ExifTags.Base.OffsetTimeOriginal),
            (ExifTags.Base.DateTimeDigitized, ExifTags.Base.OffsetTimeDigitized),
        ):
            found = _parsed(details.get(time_tag), details.get(offset_tag))
            if found:
                return found
        return _parsed(exif.get(ExifTags.Base.DateTime), None)


def _parsed(text: object, offset: object) -> Taken | None:
    match = _EXIF_TIME.match(text) if isinstance(text, str) else None
    if match is None:
        return None
    zone: timezone = UTC
    shift = _OFFSET.match(offset.strip("\0 ")) if isinstance(offset, str) else None
    if shift:
        minutes = int(shift[2]) * 60 + int(shift[3])
        zone = timezone(timedelta(minutes=-minutes if shift[1] == "-" else minutes))
    try:
        moment = datetime(*(int(part) for part in match.groups()), tzinfo=zone)  # type: ignore[arg-type, misc]
        return as_taken(moment)
    except ValueError:
        return None


def as_taken(moment: datetime) -> Taken | None:
    """The date as Taken; None for one before photography or in the future, as from a clock that was never set."""
    if not moment.year >= 1826 or moment > datetime.now(UTC) + timedelta(days=2):
        return None
    return round(moment.timestamp() * 1000), moment.month * 100 + moment.day
