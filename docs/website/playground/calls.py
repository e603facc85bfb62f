"""The functions that the page calls. They take and return JSON texts, and use the functions of the commands."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from docs.website.playground.pasted import PastedError, bytes_of
from docs.website.playground.rules import Rule, rule_of
from messagegen import outputs
from messagegen.evolve import SpecSet, breaking_changes, compare_sets
from messagegen.explain import Explanation, as_json, explain
from messagegen.findings import Finding, SpecError, UsageError
from messagegen.generation.loading import inputs_of
from messagegen.generation.messages import Messages
from messagegen.generation.sources import Sources
from messagegen.lint import RULE_NAMES, lint
from messagegen.outputs.output import OWN_FOLDER
from messagegen.runtime.plan import Plan
from messagegen.spec import parse
from messagegen.spec.model import MessageSpec

INDEX: Final = "index.json"
"""The file in a folder of specs that lists the messages, so that a page parses only the specs that it needs."""

_HEADERS: Final = ("RequestHeader", "ResponseHeader")
_SIZE: Final = 4
_PARTS: Final = ("request", "response", "body")
_STYLE: Final = RULE_NAMES.select(
    exclude=["MESSAGE_FILE_NAME"], severities=dict.fromkeys(RULE_NAMES.categories, "warning")
)
"""The rules for specs. Only errors that prevent generation are errors on the page."""
_OWN_FILE: Final = "spec.json"
_NOT_READ: Final = "(not read)"
_UNKNOWN: Final = (
    "these bytes do not begin with the header of a request; choose the message, its version and what the bytes are"
)


def index_of(texts: Mapping[str, bytes]) -> str:
    """Return the index of a folder with the specs ``texts``, by file name. Raise ``SpecError``."""
    entries: list[dict[str, object]] = []
    for file, text in texts.items():
        spec = _parsed(text, file, released=True)
        if not spec.valid_versions.empty:
            entries.append({"file": file, **_entry(spec)})
    return json.dumps(sorted(entries, key=lambda entry: str(entry["name"])))


def _entry(spec: MessageSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "kind": spec.kind.value,
        "api_key": spec.api_key,
        "lowest": spec.valid_versions.lowest,
        "highest": spec.valid_versions.highest,
    }


def _parsed(text: str | bytes, file: str, *, released: bool = False) -> MessageSpec:
    parsed = parse(text, file, released=released)
    if parsed.spec is None:
        raise SpecError(parsed.findings)
    return parsed.spec


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to read the bytes of a message: what they are (``part``), and whether a size comes first."""

    found: Explanation
    layers: list[tuple[Plan, int]]
    part: str
    sized: bool

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """The key that sorts attempts: without a problem, then with a size that fits, then by message bytes read."""
        found = self.found
        start = _SIZE if self.sized else 0
        fits = self.sized and int.from_bytes(found.data[:_SIZE], "big") == len(found.data) - _SIZE
        unread = found.parts[-1] if found.parts and found.parts[-1].name == _NOT_READ else None
        return found.problem is None, fits, (found.end if unread is None else unread.offset) - start


class Playground:
    """The calls of the page. ``specs`` is a folder with the official specs and their index."""

    def __init__(self, specs: str | Path) -> None:
        self._folder = Path(specs)
        entries: list[dict[str, Any]] = json.loads((self._folder / INDEX).read_text("utf-8"))
        self._official = {str(entry["name"]): entry for entry in entries}
        self._known: dict[str, Messages] = {}

    def messages(self) -> str:
        """Return the official messages: name, kind, API key, lowest and highest version."""
        return json.dumps(list(self._official.values()))

    def spec(self, request: str) -> str:
        """Return the text of the spec of the official message ``message``."""
        file = self._folder / str(self._official[json.loads(request)["message"]]["file"])
        return json.dumps({"text": file.read_text("utf-8")})

    def explain(self, request: str) -> str:
        """Explain bytes.

        The request has ``text`` (the pasted bytes), ``message``, ``version`` and ``part``, which may be empty to guess
        them, ``own`` (the text of a spec to use) and ``sensitive`` (whether to show sensitive values). The answer is
        that of ``messagegen explain --format json``, and has the bytes, how they were read, and a rule for each part.
        If the bytes make no sense as requested, ``offer`` is the official request that they contain, or ``None``.
        """
        try:
            return json.dumps(self._explained(json.loads(request)))
        except (PastedError, UsageError) as error:
            return json.dumps({"error": str(error)})
        except SpecError as error:
            return json.dumps({"error": f"the spec has errors: {error.findings[0].text}"})

    def check(self, request: str) -> str:
        """Return the findings about the spec ``text``, and the generated modules if it has no errors."""
        text = str(json.loads(request)["text"])
        findings = lint({_OWN_FILE: text.encode()}, _STYLE)
        spec = parse(text, _OWN_FILE).spec
        files = {} if spec is None else _modules(spec)
        entry = None if spec is None or spec.valid_versions.empty else _entry(spec)
        return json.dumps({"findings": _as_json(findings), "files": files, "message": entry})

    def breaking(self, request: str) -> str:
        """Return the breaking changes from the spec ``old`` to the spec ``new``, or the errors of these specs.

        Specs of different messages are not compared.
        """
        texts = {side: str(text).encode() for side, text in json.loads(request).items()}
        sides = [SpecSet(side, {f"{side}.json": texts[side]}, own=frozenset({f"{side}.json"})) for side in texts]
        old, new = sorted(sides, key=lambda side: side.label != "old")
        try:
            compared = compare_sets(old, new)
        except SpecError as error:
            return json.dumps({"errors": _as_json(error.findings), "findings": [], "compared": 0})
        changes = breaking_changes(compared.messages) if compared.compared else []
        return json.dumps({"errors": [], "findings": _as_json(changes), "compared": compared.compared})

    def _explained(self, request: dict[str, Any]) -> dict[str, object]:
        data = bytes_of(str(request["text"]))
        if not data:
            raise UsageError("no bytes; paste hex, base64 or a dump")
        own = _parsed(str(request["own"]), _OWN_FILE) if request.get("own") else None
        attempts = self._attempts(data, request, own)
        best = max(attempts, key=lambda attempt: attempt.rank, default=None)
        offer = None if best and best.found.problem is None else self._offer(data)
        if best is None:
            return {"error": _reason(request, own), "offer": offer}
        found = best.found
        sensitive = list(dict.fromkeys(part.name for part in found.parts if part.hidden))
        if request.get("sensitive"):
            found = explain(data, best.layers, sized=best.sized, sensitive=True)
        plan, version = best.layers[-1]
        shown = as_json(found)
        return {
            **shown,
            "parts": list(_with_rules(found, shown)),
            "data": data.hex(),
            "message": plan.name,
            "version": version,
            "part": best.part,
            "sized": best.sized,
            "sensitive": sensitive,
            "offer": offer,
        }

    def _offer(self, data: bytes) -> dict[str, object] | None:
        """Return the official request if the bytes are a header and a request that can be read without a problem."""
        for attempt in self._attempts(data, {"part": "request"}, None):
            if attempt.found.problem is None:
                plan, version = attempt.layers[-1]
                return {"message": plan.name, "version": version}
        return None

    def _attempts(self, data: bytes, request: dict[str, Any], own: MessageSpec | None) -> Iterator[Attempt]:
        """Yield each way to read the bytes that fits the request, the most probable first."""
        name = str(request.get("message") or (own.name if own else ""))
        asked = str(request.get("part") or "")
        version_asked = request.get("version")
        wanted = "" if version_asked is None else str(version_asked)
        # Specs are parsed once: a guess reads many versions of a message.
        known = self._known if own is None else {}
        for part in (asked,) if asked else _PARTS:
            for sized in (True, False) if part != "body" else (False,):
                start = data[_SIZE:] if sized else data
                for entry, version in self._candidates(start, part, name, own):
                    if wanted in ("", str(version)):
                        message = self._message(str(entry["name"]), own, known)
                        layers = _layers(message, str(entry["name"]), version, part)
                        yield Attempt(explain(data, layers, sized=sized), layers, part, sized)

    def _candidates(
        self, start: bytes, part: str, name: str, own: MessageSpec | None
    ) -> Iterator[tuple[Mapping[str, Any], int]]:
        """Yield the messages that the bytes may contain, each with a version; the highest version comes first.

        Only a request contains its API key and version. Other messages need a ``name``.
        """
        entries: list[Mapping[str, Any]] = list(self._official.values()) if own is None else [_entry(own)]
        named = [entry for entry in entries if part in ("body", entry["kind"]) and name in ("", entry["name"])]
        if part == "request":
            api_key, version = struct.unpack_from(">hh", start) if len(start) >= _SIZE else (None, -1)
            fitting = [entry for entry in named if entry["api_key"] == api_key]
            yield from ((entry, version) for entry in fitting if entry["lowest"] <= version <= entry["highest"])
        elif name:
            for entry in named:
                yield from ((entry, each) for each in range(entry["highest"], entry["lowest"] - 1, -1))

    def _message(self, name: str, own: MessageSpec | None, known: dict[str, Messages]) -> Messages:
        """Return a message with the headers, and add it to the ``known`` messages."""
        if name not in known:
            specs = {} if own is None else {own.name: own}
            for each in (name, *_HEADERS):
                if each not in specs and each in self._official:
                    file = str(self._official[each]["file"])
                    specs[each] = _parsed((self._folder / file).read_bytes(), file, released=True)
            known[name] = Messages(specs)
        return known[name]


def _reason(request: dict[str, Any], own: MessageSpec | None) -> str:
    """Return the reason why there is no way to read bytes as requested."""
    name, version = request.get("message") or (own.name if own else ""), request.get("version")
    if not name and request.get("part") in ("response", "body"):
        return "choose the message; only a request contains its API key and version"
    if not name and version is None:
        return _UNKNOWN
    what = (name or "a request") + ("" if version is None else f" version {version}")
    return f"these bytes cannot be read as {what}; choose another message, version, or what the bytes are"


def _layers(message: Messages, name: str, version: int, part: str) -> list[tuple[Plan, int]]:
    """Return the messages in the bytes, each with its version: the message, and its header unless it is alone."""
    layer = message.versioned(name, version)
    return [layer] if part == "body" else [message.header(*layer), layer]


def _modules(spec: MessageSpec) -> dict[str, str]:
    """Return the generated modules of a message, without the runtime, which is equal for all messages."""
    if spec.valid_versions.empty:
        return {}
    files = outputs.files(inputs_of(Sources((spec,))), ["python"])
    return {path: file.render() for path, file in files.items() if not path.startswith(f"{OWN_FOLDER}/")}


def _with_rules(found: Explanation, shown: dict[str, Any]) -> Iterator[dict[str, object]]:
    """Yield the parts of an explanation as JSON, each with its rule. Hidden parts have no rule."""
    for part, given in zip(found.parts, shown["parts"], strict=True):
        own = found.data[part.offset : part.end]
        rule = rule_of(part.name, part.type, own) if own and not part.hidden else Rule("")
        yield {**given, "rule": rule.text, "head": rule.head}


def _as_json(findings: tuple[Finding, ...] | list[Any]) -> list[dict[str, object]]:
    return [finding.as_json() for finding in findings]
