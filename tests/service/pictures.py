"""Real pictures, videos and PDFs, made on the spot."""

import io
from fractions import Fraction
from pathlib import Path

import av
import pillow_heif
from PIL import ExifTags, Image

pillow_heif.register_heif_opener()


def picture(width: int = 640, height: int = 480) -> Image.Image:
    """Left half red, right half blue, so that one sees whether it was turned."""
    image = Image.new("RGB", (width, height), "red")
    image.paste((0, 0, 255), (width // 2, 0, width, height))
    return image


def encoded(form: str, image: Image.Image | None = None, **options: object) -> bytes:
    data = io.BytesIO()
    (image or picture()).save(data, form, **options)
    return data.getvalue()


def jpeg_taken(when: str, *, offset: str | None = None, orientation: int = 1) -> bytes:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    details = exif.get_ifd(ExifTags.IFD.Exif)
    details[ExifTags.Base.DateTimeOriginal] = when
    if offset:
        details[ExifTags.Base.OffsetTimeOriginal] = offset
    return encoded("JPEG", exif=exif)


def video(
    path: Path, *, seconds: float = 1.0, created: str | None = None, black_frames: int = 0, rotation: int = 0
) -> Path:
    """A green video; a turned one is red where its upper left corner is before it is turned, counter-clockwise."""
    with av.open(str(path), "w") as container:
        if created:
            container.metadata["creation_time"] = created
        stream = container.add_stream("mpeg4", rate=Fraction(10))
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        if rotation:
            stream.set_display_rotation(rotation)
        for number in range(int(seconds * 10)):
            image = Image.new("RGB", (320, 240), "black" if number < black_frames else (0, 200, 0))
            if rotation:
                image.paste("red", (0, 0, 160, 120))
            container.mux(stream.encode(av.VideoFrame.from_image(image)))  # type: ignore[no-untyped-call]
        container.mux(stream.encode())
    return path
