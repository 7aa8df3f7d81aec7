"""Rotating pictures in the browser: the picture turns, and nothing else in the file changes."""

import random
import struct
from io import BytesIO

import pillow_heif
import pytest
from PIL import ExifTags, Image, ImageChops, ImageOps, IptcImagePlugin
from playwright.sync_api import Page, expect
from tests.server.api import Api
from tests.server.uploading import content_of
from tests.web.test_files import show

pillow_heif.register_heif_opener()
SEEDS = range(8)
XMP = b'<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">%d</x:xmpmeta>'
# A headline, as a Photoshop resource of IPTC data.
IPTC = b"\x1c\x02\x69\x00\x05Beach"
TEXTS = {
    ExifTags.Base.Make: "Ca",
    ExifTags.Base.Model: "A camera with a long name",
    ExifTags.Base.ImageDescription: "The sea",
    ExifTags.Base.Software: "8",
    ExifTags.Base.Copyright: "Ada",
}
DETAILS: dict[int, object] = {
    ExifTags.Base.DateTimeOriginal: "2025:03:18 12:30:00",
    ExifTags.Base.LensModel: "50 mm",
    ExifTags.Base.MakerNote: b"\x00maker\xff" * 9,
    ExifTags.Base.UserComment: b"ASCII\x00\x00\x00sunny",
}
SYDNEY: dict[int, object] = {
    ExifTags.GPS.GPSLatitudeRef: "S",
    ExifTags.GPS.GPSLatitude: (33.0, 52.0, 10.5),
    ExifTags.GPS.GPSLongitudeRef: "E",
    ExifTags.GPS.GPSLongitude: (151.0, 12.0, 30.25),
}


def exif_of(lot: random.Random, orientation: int | None) -> Image.Exif:
    exif = Image.Exif()
    exif.endian = lot.choice("<>")
    for tag, text in lot.sample(sorted(TEXTS.items()), lot.randint(0, len(TEXTS))):
        exif[tag] = text
    if orientation is not None:
        exif[ExifTags.Base.Orientation] = orientation
    for part, entries in ((ExifTags.IFD.Exif, DETAILS), (ExifTags.IFD.GPSInfo, SYDNEY)):
        directory = exif.get_ifd(part)
        for key, value in entries.items():
            directory[key] = value
    return exif


def drawn(lot: random.Random) -> Image.Image:
    image = Image.new("RGB", (64, 48), "navy")
    image.paste("red", (0, 0, 32, 24))
    image.paste((255, 255, 0), (lot.randrange(40), 30, 48, 44))
    return image


def made(kind: str, lot: random.Random) -> bytes:
    """A picture with generated metadata, of which any part may be missing."""
    image, data = drawn(lot), BytesIO()
    # Browsers ignore the orientation of a WebP: people see, and rotate, its pixels.
    orientation = 6 if kind == "HEIF" else lot.choice([None, 1] if kind == "WEBP" else [None, None, 1, 3, 6, 8])
    exif = exif_of(lot, orientation) if kind == "HEIF" or lot.random() < 0.9 else None
    xmp = XMP % lot.randrange(10**6) if lot.random() < 0.7 else None
    if kind == "HEIF":
        assert exif is not None
        more = {} if xmp is None else {"xmp": xmp}
        pillow_heif.encode("RGB", image.size, image.tobytes(), data, quality=-1, exif=exif.tobytes(), **more)
        return data.getvalue()
    options: dict[str, object] = {} if exif is None else {"exif": exif.tobytes()}
    if kind == "PNG":
        image.info["xmp"] = xmp
        image.save(data, kind, dpi=(300, 72), **options)
        return data.getvalue()
    if xmp is not None:
        options["xmp"] = xmp
    if kind == "WEBP":
        options["lossless"] = True
    image.save(data, kind, **options)
    written = data.getvalue()
    if kind == "JPEG" and lot.random() < 0.7:
        body = (
            b"Photoshop 3.0\x008BIM\x04\x04\x00\x00" + struct.pack(">I", len(IPTC)) + IPTC + b"\x00" * (len(IPTC) % 2)
        )
        written = written[:2] + b"\xff\xed" + struct.pack(">H", len(body) + 2) + body + written[2:]
    return written


def about(data: bytes) -> dict[str, object]:
    """Everything that a file says about its picture, other than its orientation."""
    with Image.open(BytesIO(data)) as image:
        exif = image.getexif()
        offsets = {ExifTags.IFD.Exif, ExifTags.IFD.GPSInfo, ExifTags.Base.Orientation}
        xmp = image.info.get("xmp") or image.info.get("XML:com.adobe.xmp")
        return {
            "first": {tag: value for tag, value in exif.items() if tag not in offsets},
            "details": dict(exif.get_ifd(ExifTags.IFD.Exif)),
            "place": dict(exif.get_ifd(ExifTags.IFD.GPSInfo)),
            "xmp": xmp.encode() if isinstance(xmp, str) else xmp,
            "iptc": IptcImagePlugin.getiptcinfo(image) if image.format == "JPEG" else None,
        }


def upright(data: bytes) -> Image.Image:
    with Image.open(BytesIO(data)) as image:
        return ImageOps.exif_transpose(image).convert("RGB")


def is_like(one: Image.Image, other: Image.Image) -> bool:
    """Return whether two pictures differ by what a repeated compression may change at most."""
    if one.size != other.size:
        return False
    return max(ImageChops.difference(one, other).tobytes()) <= 8


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_rotating_changes_the_orientation_and_nothing_else(page: Page, api: Api, kind: str) -> None:
    end = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp", "HEIF": "heic"}[kind]
    before = {f"{seed}.{end}": made(kind, random.Random(f"{kind} {seed}")) for seed in SEEDS}
    keys = {name: api.file(name, data).object_key for name, data in before.items()}
    show(page)
    for name, data in before.items():
        page.get_by_role("option", name=name).dblclick()
        page.get_by_role("dialog").get_by_role("button", name="Rotate").click()
        expect(page.get_by_text("Rotated.").first).to_be_visible()
        after = content_of(api, keys[name])
        assert about(after) == about(data), name
        assert is_like(upright(after), upright(data).transpose(Image.Transpose.ROTATE_270)), name
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.locator(".notice").filter(has_text="Rotated.").get_by_role("button", name="Close").click()
        expect(page.get_by_text("Rotated.")).to_have_count(0)


def test_a_rotation_can_be_undone(page: Page, api: Api) -> None:
    data = made("JPEG", random.Random("undo"))
    key = api.file("a.jpg", data).object_key
    show(page)
    page.get_by_role("option", name="a.jpg").dblclick()
    page.get_by_role("dialog").get_by_role("button", name="Rotate").click()
    undo = page.get_by_role("dialog").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    assert content_of(api, key) != data
    with page.expect_response("**/x/v1/versions/restore") as restored:
        undo.click()
    assert restored.value.ok
    assert content_of(api, key) == data
