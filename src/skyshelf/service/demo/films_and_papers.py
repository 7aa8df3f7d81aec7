"""A film, a melody, and papers to read."""

import io
import math
import struct
import time
import wave
from datetime import datetime
from fractions import Fraction

import av
from PIL import Image, ImageDraw, ImageFont

from skyshelf.service.demo.landscapes import landscape

_FILM_SIZE = (640, 360)
_FRAMES, _PER_SECOND = 48, 24
_RATE = 11_025
_MELODY = (262, 330, 392, 523, 392, 330, 262)

NOTES = """# Plans for the cabin

- [x] Mend the roof before autumn
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

RECIPE = """Blueberry pie, as we make it at the lake

Rub 200 g of flour with 125 g of cold butter and a pinch of salt.
Press it into a tin, and put it into the cold for half an hour.
Fill it with 500 g of blueberries, two spoons of sugar and one of starch.
Bake it at 190 degrees until it smells so good that nobody can wait.
"""

EXPENSES = "date,what,amount\n2024-06-21,petrol,58.20\n2024-06-22,groceries,112.75\n2024-06-24,boat hire,40.00\n"


def film(taken: datetime) -> bytes:
    """Two seconds over the hills, in the form that every browser plays."""
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
    """A few notes."""
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
    """A small guide, as PDF."""
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
    # Dates of its own would make it another file every time.
    written = time.gmtime(1_718_960_400)
    paper.save(data, "PDF", resolution=100, title="A guide to the lake", creationDate=written, modDate=written)
    return data.getvalue()
