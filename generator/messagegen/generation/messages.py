"""Messages by name, whose classes are generated on first use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

from messagegen.findings import UsageError
from messagegen.generation.loading import load_specs
from messagegen.names import message_class
from messagegen.patterns import unknown_message
from messagegen.runtime.plan import Plan, read_plan

if TYPE_CHECKING:
    from messagegen.spec.model import MessageSpec

_HEADERS: Final = ("RequestHeader", "ResponseHeader")
_KEY_AND_VERSION: Final = Struct(">hh")


def texts_about(name: str | None, request: bytes = b"") -> re.Pattern[bytes]:
    """Return a pattern that the specs of a message match, and the specs of headers; a few others may match, too.

    Without a ``name``, the message is the request whose header ``request`` begins with.
    """
    wanted = [re.escape(each.encode()) for each in (*_HEADERS, name) if each is not None]
    if name is None and len(request) >= _KEY_AND_VERSION.size:
        wanted.append(rb'apiKey"[^0-9]*%d(?![0-9])' % _KEY_AND_VERSION.unpack_from(request)[0])
    return re.compile(b"|".join(wanted))


class Messages:
    """The messages of some specs, planned and rendered on first use."""

    def __init__(self, specs: Mapping[str, MessageSpec]) -> None:
        self.specs = specs
        self.plan = cache(self._plan)

    def versioned(self, name: str, version: int) -> tuple[Plan, int]:
        """Return the plan of a message, and ``version``. Raise ``UsageError`` if the message lacks the version."""
        plan = self.plan(name)
        valid = plan.valid_versions
        if version not in valid:
            raise UsageError(f"{name} has versions {valid[0]} to {valid[-1]}, not {version}")
        return plan, version

    def requests(self, frame: bytes, name: str | None) -> list[str]:
        """Return the names of the requests with the API key at the start of ``frame``; ``name`` selects one of them.

        Raise ``UsageError`` for a header that ends before its API key and version.
        """
        if len(frame) < _KEY_AND_VERSION.size:
            raise UsageError(f"a request begins with its API key and version; bytes left: {len(frame)}")
        api_key, _ = _KEY_AND_VERSION.unpack_from(frame)
        return [
            spec.name
            for spec in self.specs.values()
            if (spec.kind.value, spec.api_key) == ("request", api_key) and name in (None, spec.name)
        ]

    def header(self, plan: Plan, version: int) -> tuple[Plan, int]:
        """Return the plan and the version of the header before a request or response. Raise ``UsageError``."""
        return self.plan(f"{plan.kind.title()}Header"), plan.cls.header_version(version)

    def request(self, frame: bytes, name: str | None) -> tuple[Plan, int]:
        """Return the plan and the version of a request, from the API key and version at the start of its header.

        Raise ``UsageError`` unless exactly one request has this API key, and also this ``name`` if one is given.
        """
        found = self.requests(frame, name)
        api_key, version = _KEY_AND_VERSION.unpack_from(frame)
        if len(found) != 1:
            fitting = ", ".join(found) or "none"
            raise UsageError(f"the header has API key {api_key}; requests of these specs with that key: {fitting}")
        return self.versioned(found[0], version)

    def _plan(self, name: str) -> Plan:
        """Return the plan of a message, with its classes. Raise ``UsageError`` for an unknown name."""
        if name not in self.specs:
            raise unknown_message(name, self.specs)
        package = load_specs([self.specs[each] for each in dict.fromkeys((name, *_HEADERS)) if each in self.specs])
        codec: Any = getattr(package, message_class(name)).CODEC
        return read_plan(codec.plan, {cls.__name__: cls for cls in codec.classes})
