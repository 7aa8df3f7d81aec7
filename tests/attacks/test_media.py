"""Files that keep a decoder busy, or make it use all memory, while another user uploads pictures and looks at them."""

import io
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from PIL import Image
from tests.attacks.attacked import Attacked, eventually
from tests.server.api import Api
from tests.server.uploading import initiate, upload
from tests.service import pictures  # noqa: F401 - registers HEIF

PDFS = 12
PER_PDF = 3
HEICS = 20


def pdf_bomb(number: int) -> bytes:
    """A page that draws a form, which draws another one ten times, which draws another one ten times, and so on."""
    levels = 12
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</X 5 0 R>>>>/Contents 4 0 R>>",
        b"<</Length 5>>stream\n/X Do\nendstream",
    ]
    for level in range(levels):
        inner = f"/Resources<</XObject<</X {6 + level} 0 R>>>>" if level < levels - 1 else ""
        drawn = b"/X Do " * 10 if inner else b"0 0 %d 9 re f" % number
        head = f"<</Type/XObject/Subtype/Form/BBox[0 0 600 800]{inner}/Length {len(drawn)}>>stream\n".encode()
        objects.append(head + drawn + b"\nendstream")
    data, places = b"%PDF-1.4\n", []
    for key, content in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj" % key + content + b"endobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return data + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF" % (
        size,
        table,
        size,
        len(data),
    )


def _png(width: int, height: int, *chunks: tuple[bytes, bytes], packed: int = 10_000_000) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))

    head = struct.pack("!IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = [(b"IHDR", head), *chunks, (b"IDAT", zlib.compress(bytes(packed), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def _encoded(form: str, image: Image.Image, **options: object) -> bytes:
    held = io.BytesIO()
    image.save(held, form, **options)
    return held.getvalue()


def _heic_that_claims(width: int, height: int) -> bytes:
    data = _encoded("HEIF", Image.new("RGB", (64, 64)))
    return data.replace(struct.pack(">II", 64, 64), struct.pack(">II", width, height))


HOSTILE: dict[str, Callable[[], bytes]] = {
    "pixels.png": lambda: _png(14_000, 14_000),
    "far too many pixels.png": lambda: _png(2**31 - 1, 2**31 - 1),
    "text.png": lambda: _png(10, 10, (b"zTXt", b"a\0\0" + zlib.compress(bytes(60_000_000), 1))),
    "profile.png": lambda: _png(10, 10, (b"iCCP", b"a\0\0" + zlib.compress(bytes(60_000_000), 1))),
    "pixels.gif": lambda: _encoded("GIF", Image.new("P", (6_000, 6_000))),
    "pixels.heic": lambda: _heic_that_claims(30_000, 30_000),
    "bomb.pdf": lambda: pdf_bomb(0),
}


def uploaded(api: Api, name: str, data: bytes) -> str:
    answer = upload(api, name, data)
    assert answer.status_code == 201, answer.text
    key: str = answer.json()["objectKey"]
    return key


def jpeg(number: int) -> bytes:
    return _encoded("JPEG", Image.new("RGB", (400, 300), (number % 256, number // 256, 40)))


@contextmanager
def looking_at_pictures(api: Api) -> Iterator[list[str]]:
    """Somebody uploads a JPEG and looks at it, again and again; what went wrong is in the list."""
    wrong: list[str] = []
    over = threading.Event()
    looked = 0

    def look() -> None:
        nonlocal looked
        while not over.is_set():
            answer = api.get(f"/download/avimages/{uploaded(api, f'{looked}.jpg', jpeg(looked))}")
            if answer.status_code != 200:
                wrong.append(answer.text)
            looked += 1

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(look)
        try:
            eventually(lambda: looked > 2 or running.done())
            before = looked
            yield wrong
            eventually(lambda: looked > before + 5 or running.done())
        finally:
            over.set()
        running.result()


def hang_up(attacked: Attacked, api: Api, path: str) -> None:
    """Ask, and leave before the answer."""
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n" + "".join(f"{k}: {v}\r\n" for k, v in api.headers.items())
    with attacked.connect() as raw:
        raw.sendall(head.encode() + b"\r\n")


def test_pdf_bombs_and_uploads_of_pictures_stop_nobody(attacked: Attacked) -> None:
    attacker, user = attacked.account(), attacked.account(source="127.0.0.9")
    bombs = [uploaded(attacker, f"{number}.pdf", pdf_bomb(number)) for number in range(PDFS)]
    heic = _encoded("HEIF", Image.new("RGB", (64, 64)))
    uploaded(attacker, "known.heic", heic)

    def begin(number: int) -> int:
        return initiate(attacker, f"{number}.heic", heic).status_code

    with attacked.while_others_work(), looking_at_pictures(user) as wrong, ThreadPoolExecutor(8) as pool:
        for size in (256, 512, 1080)[:PER_PDF]:
            for bomb in bombs:
                hang_up(attacked, attacker, f"/download/avimages/{bomb}?size={size}")
        began = list(pool.map(begin, range(HEICS)))
    assert wrong == []
    assert set(began) == {201}


def test_files_that_unpack_to_far_more_stay_within_the_memory_and_have_no_thumbnail(attacked: Attacked) -> None:
    attacker, user = attacked.account(), attacked.account(source="127.0.0.9")
    keys = {name: uploaded(attacker, name, make()) for name, make in HOSTILE.items()}

    def thumbnail(name: str) -> int:
        return attacker.get(f"/download/avimages/{keys[name]}").status_code

    with attacked.while_others_work(), looking_at_pictures(user) as wrong, ThreadPoolExecutor(8) as pool:
        answers = dict(zip(keys, pool.map(thumbnail, keys), strict=True))
    assert wrong == []
    assert {name: status for name, status in answers.items() if status not in {200, 404}} == {}
    assert {answers[name] for name in ("pixels.png", "far too many pixels.png", "pixels.heic", "bomb.pdf")} == {404}
    # As many again cost nothing, because failures are remembered.
    assert thumbnail("bomb.pdf") == 404
