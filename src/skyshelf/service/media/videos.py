"""Videos: the first frame that shows something, and the capture date, by PyAV."""

from datetime import UTC, datetime
from itertools import islice

import av
from PIL import Image

from skyshelf.service.media.images import MOST_PIXELS, Taken, as_taken, flattened

FRAMES_TRIED = 60
# Media containers only: playlists and the like could make the library open other files.
_OPTIONS = {
    "protocol_whitelist": "file",
    "format_whitelist": "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg",
}
_DARK = 24
_TIME_KEYS = ("com.apple.quicktime.creationdate", "creation_time", "date")


def render(path: str, size: int) -> Image.Image | None:
    with av.open(path, options=_OPTIONS) as container:
        if not container.streams.video:
            return None
        stream = container.streams.video[0]
        if stream.codec_context.width * stream.codec_context.height > MOST_PIXELS:
            return None
        stream.thread_type = "NONE"
        best: Image.Image | None = None
        # Many videos begin with black frames.
        for frame in islice(container.decode(stream), FRAMES_TRIED):
            image: Image.Image = frame.to_image()  # type: ignore[no-untyped-call]
            best = best or image
            if image.convert("L").resize((1, 1)).tobytes()[0] > _DARK:
                best = image
                break
        if best is None:
            return None
        best.thumbnail((size, size), Image.Resampling.BILINEAR)
        return flattened(best)


def taken(path: str) -> Taken | None:
    with av.open(path, options=_OPTIONS) as container:
        for tags in (container.metadata, *(stream.metadata for stream in container.streams)):
            for key in _TIME_KEYS:
                found = _parsed(tags.get(key))
                if found:
                    return found
    return None


def _parsed(text: str | None) -> Taken | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return as_taken(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
