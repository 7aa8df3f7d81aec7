"""Videos: the first frame that shows something, and the capture date, by PyAV."""

from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice

import av
from av.container import InputContainer
from av.video.stream import VideoStream
from PIL import Image

from skyshelf.service.media.capture import CaptureTime, as_taken, iso_6709, offset_minutes
from skyshelf.service.media.images import flattened
from skyshelf.storage.metadata.contracts.files import MediaFacts

FRAMES_TRIED = 60
# Media containers only: playlists and the like could make the library open other files.
_OPTIONS = {
    "protocol_whitelist": "file",
    "format_whitelist": "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg",
}
_DARK = 24
# A decoder keeps several frames, at one and a half bytes per pixel or more.
_BYTES_PER_PIXEL = 10
# Phones record in sensor orientation and note how to turn the frames, counter-clockwise.
_TURNS = {90: Image.Transpose.ROTATE_90, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_270}
_MOST_PIXELS_FOR_FACTS = 40_000_000
_PLACE_KEYS = ("com.apple.quicktime.location.ISO6709", "location", "location-eng")
_TIME_KEYS = ("com.apple.quicktime.creationdate", "creation_time", "date")


def render(path: str, size: int, budget: int) -> Image.Image | None:
    with av.open(path, options=_OPTIONS) as container:
        if not container.streams.video:
            return None
        stream = container.streams.video[0]
        stream.thread_type = "NONE"
        # The decoder enforces it as well, because frames can be larger than the container says.
        most_pixels = budget // _BYTES_PER_PIXEL
        stream.codec_context.options = {"max_pixels": str(most_pixels)}
        if stream.codec_context.width * stream.codec_context.height > most_pixels:
            return None
        best: Image.Image | None = None
        # Many videos begin with black frames.
        for frame in islice(container.decode(stream), FRAMES_TRIED):
            image = _small(frame, size)
            best = best or image
            if image.convert("L").resize((1, 1)).tobytes()[0] > _DARK:
                best = image
                break
        return None if best is None else flattened(best)


def _small(frame: av.VideoFrame, size: int) -> Image.Image:
    scale = min(1.0, size / max(frame.width, frame.height))
    width, height = max(1, round(frame.width * scale)), max(1, round(frame.height * scale))
    image: Image.Image = frame.reformat(width, height, "rgb24").to_image()  # type: ignore[no-untyped-call]
    turn = _TURNS.get(frame.rotation % 360)
    return image if turn is None else image.transpose(turn)


def taken(path: str) -> CaptureTime | None:
    with av.open(path, options=_OPTIONS) as container:
        for tags in (container.metadata, *(stream.metadata for stream in container.streams)):
            for key in _TIME_KEYS:
                found = _parsed(tags.get(key))
                if found:
                    return found
    return None


def facts(path: str) -> MediaFacts:
    """Return the size of the frames as they are shown, and where the video was taken."""
    with av.open(path, options=_OPTIONS) as container:
        shape: tuple[int | None, int | None] = (None, None)
        if container.streams.video:
            shape = _shape(container, container.streams.video[0])
        place = offset = None
        for tags in (container.metadata, *(stream.metadata for stream in container.streams)):
            place = place or next((found for key in _PLACE_KEYS if (found := iso_6709(tags.get(key)))), None)
            moment = tags.get(_TIME_KEYS[0]) or ""
            # A phone's local time, which ends with its offset.
            offset = offset_minutes(f"{moment[-5:-2]}:{moment[-2:]}") if offset is None else offset
        width, height = shape
        latitude, longitude = place or (None, None)
        return MediaFacts(width, height, latitude, longitude, offset)


def _shape(container: InputContainer, stream: VideoStream) -> tuple[int | None, int | None]:
    context = stream.codec_context
    width, height = context.width, context.height
    if not (width and height):
        return None, None
    if width * height > _MOST_PIXELS_FOR_FACTS:
        return width, height
    stream.thread_type = "NONE"
    context.options = {"max_pixels": str(_MOST_PIXELS_FOR_FACTS)}
    # Only a frame says how it is rotated.
    with suppress(av.FFmpegError, MemoryError):
        frame = next(container.decode(stream), None)
        if frame is not None and frame.rotation % 180 == 90:
            return height, width
    return width, height


def _parsed(text: str | None) -> CaptureTime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return as_taken(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
