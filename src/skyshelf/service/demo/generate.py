"""Generated content of the demo account: landscapes (the same for the same seed), a film, a melody and documents."""

import io
import math
import random
import struct
import time
import wave
from datetime import datetime
from fractions import Fraction
from itertools import pairwise

import av
import pillow_heif
from PIL import ExifTags, Image, ImageChops, ImageDraw, ImageFilter, ImageFont

Colour = tuple[int, int, int]

_SIZE = (1080, 720)
# Top of the sky, horizon, nearest hill.
_MOODS: list[tuple[Colour, Colour, Colour]] = [
    ((38, 84, 160), (255, 214, 170), (28, 48, 58)),
    ((24, 32, 74), (247, 140, 108), (26, 22, 44)),
    ((86, 160, 214), (232, 244, 246), (38, 86, 62)),
    ((118, 134, 190), (250, 206, 208), (58, 46, 84)),
    ((22, 60, 92), (240, 232, 186), (18, 52, 50)),
    ((140, 196, 224), (254, 246, 224), (92, 108, 60)),
]


def landscape(seed: int) -> Image.Image:
    chance = random.Random(seed)  # noqa: S311 - not a secret
    top, horizon, near = _MOODS[seed % len(_MOODS)]
    image = _sky(top, horizon)
    _add_sun(image, chance, horizon)
    layers = chance.randint(3, 5)
    for layer in range(layers):
        depth = (layer + 1) / layers
        base = int(_SIZE[1] * (0.5 + 0.38 * depth))
        _add_hills(image, chance, base, roughness=150 * (1.15 - depth), colour=_mixed(horizon, near, depth**0.8))
    if seed % 3 == 0:
        _add_lake(image, chance)
    return image


def jpeg(image: Image.Image, taken: datetime) -> bytes:
    data = io.BytesIO()
    image.save(data, "JPEG", quality=85, exif=_exif(taken))
    return data.getvalue()


def heic(image: Image.Image, taken: datetime) -> bytes:
    data = io.BytesIO()
    pillow_heif.register_heif_opener(thumbnails=False)
    small = image.resize((600, 400))
    small.save(data, "HEIF", quality=60, exif=_exif(taken).tobytes(), enc_params={"preset": "ultrafast"})
    return data.getvalue()


def png(image: Image.Image) -> bytes:
    data = io.BytesIO()
    image.resize((480, 320)).save(data, "PNG")
    return data.getvalue()


def _exif(taken: datetime) -> Image.Exif:
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = "Skyshelf"
    exif[ExifTags.Base.Model] = "Demo"
    details = exif.get_ifd(ExifTags.IFD.Exif)
    details[ExifTags.Base.DateTimeOriginal] = taken.strftime("%Y:%m:%d %H:%M:%S")
    details[ExifTags.Base.OffsetTimeOriginal] = "+00:00"
    return exif


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _sky(top: Colour, horizon: Colour) -> Image.Image:
    fade = Image.linear_gradient("L").resize(_SIZE)
    return Image.composite(Image.new("RGB", _SIZE, horizon), Image.new("RGB", _SIZE, top), fade)


def _add_sun(image: Image.Image, chance: random.Random, horizon: Colour) -> None:
    # Soft light needs few pixels, so it is drawn small and enlarged.
    small = (_SIZE[0] // 4, _SIZE[1] // 4)
    x, y, radius = chance.randint(40, small[0] - 40), chance.randint(30, 90), chance.randint(8, 16)
    glow = Image.new("L", small, 0)
    ImageDraw.Draw(glow).ellipse((x - 4 * radius, y - 4 * radius, x + 4 * radius, y + 4 * radius), fill=90)
    disc = Image.new("L", small, 0)
    ImageDraw.Draw(disc).ellipse((x - radius, y - radius, x + radius, y + radius), fill=235)
    soft = glow.reduce(4).filter(ImageFilter.GaussianBlur(radius * 0.4)).resize(small, Image.Resampling.BICUBIC)
    light = ImageChops.lighter(soft, disc.filter(ImageFilter.GaussianBlur(0.8))).resize(_SIZE, Image.Resampling.BICUBIC)
    image.paste(_mixed(horizon, (255, 252, 240), 0.75), mask=light)


def _add_hills(image: Image.Image, chance: random.Random, base: int, roughness: float, colour: Colour) -> None:
    heights = [chance.uniform(-1, 1), chance.uniform(-1, 1)]
    swing = 0.9
    while len(heights) < 300:
        finer = []
        for left, right in pairwise(heights):
            finer += [left, (left + right) / 2 + chance.uniform(-swing, swing)]
        heights, swing = [*finer, heights[-1]], swing * 0.52
    step = _SIZE[0] / (len(heights) - 1)
    ridge = [(number * step, base + height * roughness) for number, height in enumerate(heights)]
    ImageDraw.Draw(image).polygon([(0, _SIZE[1]), *ridge, (_SIZE[0], _SIZE[1])], fill=colour)


def _add_lake(image: Image.Image, chance: random.Random) -> None:
    shore = int(_SIZE[1] * chance.uniform(0.72, 0.8))
    mirrored = image.crop((0, 2 * shore - _SIZE[1], _SIZE[0], shore)).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    water = Image.blend(
        mirrored.filter(ImageFilter.GaussianBlur(2)), Image.new("RGB", mirrored.size, (20, 50, 80)), 0.2
    )
    image.paste(water, (0, shore))
    draw = ImageDraw.Draw(image, "RGBA")
    for _ in range(60):
        x, y = chance.randint(-80, _SIZE[0]), chance.randint(shore, _SIZE[1])
        draw.line((x, y, x + chance.randint(20, 160), y), fill=(255, 255, 255, chance.randint(8, 26)), width=2)


# Film, melody and documents

_FILM_SIZE = (640, 360)
_FRAMES, _PER_SECOND = 48, 24
_RATE = 11_025
_MELODY = (262, 330, 392, 523, 392, 330, 262)

NOTES = """# Plans for the cabin

- [x] Repair the roof before autumn
- [x] Photograph the lake in every season
- [ ] Paint the boat blue, or perhaps green
- [ ] Invite everybody for the longest day

> Bring warm socks. The evenings are cold, even in July.
"""

PACKING_LISTS = (
    "Packing list\n\ntent\nsleeping bags\nmap\n",
    "Packing list\n\ntent\nsleeping bags\nmap\nstove, and gas for it\n",
    "Packing list\n\ntent\nsleeping bags\nmap\nstove, and gas for it\nsomething to read when it rains\n",
)

RECIPE = """Blueberry pie, the way we make it at the lake

Rub 200 g of flour with 125 g of cold butter and a pinch of salt.
Press it into a tin and chill it for half an hour.
Fill it with 500 g of blueberries, two spoons of sugar and one of starch.
Bake it at 190 °C until it smells so good that you cannot wait.
"""

EXPENSES = "date,what,amount\n2024-06-21,petrol,58.20\n2024-06-22,groceries,112.75\n2024-06-24,boat hire,40.00\n"


def film(taken: datetime) -> bytes:
    """Render two seconds over the hills, in a format that every browser plays."""
    scene = landscape(4).resize((960, 640))
    data = io.BytesIO()
    with av.open(data, "w", format="mp4") as container:
        container.metadata["creation_time"] = taken.strftime("%Y-%m-%dT%H:%M:%S.000000Z")
        stream = container.add_stream(
            "libx264", rate=Fraction(_PER_SECOND), options={"preset": "veryfast", "crf": "26"}
        )
        stream.width, stream.height, stream.pix_fmt = *_FILM_SIZE, "yuv420p"
        stream.thread_count = 1
        for number in range(_FRAMES):
            x = number * (960 - _FILM_SIZE[0]) // _FRAMES
            picture = scene.crop((x, 200, x + _FILM_SIZE[0], 200 + _FILM_SIZE[1]))
            container.mux(stream.encode(av.VideoFrame.from_image(picture)))  # type: ignore[no-untyped-call]
        container.mux(stream.encode())
    return data.getvalue()


def melody() -> bytes:
    data = io.BytesIO()
    per_note = _RATE // 3
    samples = (
        int(9000 * math.sin(2 * math.pi * note * at / _RATE) * (1 - at / per_note))
        for note in _MELODY
        for at in range(per_note)
    )
    with wave.open(data, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(_RATE)
        sound.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return data.getvalue()


def guide() -> bytes:
    paper = Image.new("RGB", (827, 1169), "white")
    draw = ImageDraw.Draw(paper)
    paper.paste(landscape(3).resize((667, 445)), (80, 220))
    draw.text((80, 90), "A guide to the lake", font=ImageFont.load_default(52), fill=(30, 40, 60))
    text = (
        "The path begins behind the cabin and follows the shore.\n"
        "It takes two hours without pictures, and a day with them.\n\n"
        "After rain the third bridge is slippery.\n"
        "The best light comes an hour before the sun goes down."
    )
    draw.multiline_text((80, 720), text, font=ImageFont.load_default(23), fill=(50, 60, 80), spacing=14)
    data = io.BytesIO()
    # Fixed dates, so that the file is the same every time.
    written = time.gmtime(1_718_960_400)
    paper.save(data, "PDF", resolution=100, title="A guide to the lake", creationDate=written, modDate=written)
    return data.getvalue()
