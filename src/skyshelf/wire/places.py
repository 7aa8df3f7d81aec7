"""Where an object is: the object itself, and the folders that lead to it."""

from skyshelf.wire.bases import AnswerModel
from skyshelf.wire.objects import CloudObject


class PlaceStep(AnswerModel, frozen=True, kw_only=True):
    """One folder of the way."""

    object_key: str
    object_name: str | None = None


class ObjectPlace(AnswerModel, frozen=True, kw_only=True):
    """The object as it is now, and the folders from the root down to its parent."""

    object: CloudObject | None = None
    path: list[PlaceStep] | None = None
