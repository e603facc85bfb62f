"""Finds requests and responses that can't be checked together, because one of the two has errors."""

from __future__ import annotations

from pathlib import PurePath

from messagegen.jsonc import Document, Object
from messagegen.spec.model import MessageKind, MessageSpec
from messagegen.spec.place import place_of

_PARTNERS = {MessageKind.REQUEST: MessageKind.RESPONSE, MessageKind.RESPONSE: MessageKind.REQUEST}


class Broken:
    """Facts about specs with errors: the names of their messages and files, and their pairs of type and API key."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._keys: set[tuple[str, str]] = set()

    def add(self, file: str, text: Document | None) -> None:
        """Add a spec with errors; ``text`` is ``None`` if the spec is not JSON."""
        self._names.add(PurePath(file).stem)
        if text is not None and isinstance(text.root.value, Object):
            place = place_of(text.root.value, "")
            self._names.add(place.text("name"))
            self._keys.add((place.text("type"), place.text("apiKey").strip()))

    def has_partner_of(self, spec: MessageSpec) -> bool:
        """Whether the response of a request, or the request of a response, is one of these specs."""
        partner = _PARTNERS.get(spec.kind)
        if partner is None:
            return False
        name = spec.name.removesuffix(spec.kind.value.title()) + partner.value.title()
        return name in self._names or (partner.value, str(spec.api_key)) in self._keys
