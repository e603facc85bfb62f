"""Collects the lines of all releases, each once with its releases, and makes the files of the kit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.conformance.kit.batches import all_batches
from tests.conformance.kit.checks import Content, KitError, checked_lines, checked_refusals
from tests.conformance.kit.facts import java_facts
from tests.conformance.kit.messages import Message, json_text, messages_of
from tests.conformance.kit.sessions import frames_of
from tests.oracle import Oracle, Question

_HERE: Final = Path(__file__).parent
_LONGEST_ERROR: Final = 200


@dataclass
class _Answers:
    """The releases that refuse certain bytes, the releases that accept them, and Java's newest exception."""

    refused_by: list[str] = field(default_factory=list[str])
    accepted_by: list[str] = field(default_factory=list[str])
    java: str | None = None

    def add(self, release: str, error: str | None) -> None:
        (self.accepted_by if error is None else self.refused_by).append(release)
        self.java = self.java if error is None else error[:_LONGEST_ERROR]

    def rule(self) -> str:
        return "kafka" if self.refused_by else "stricter"

    def as_json(self) -> Content:
        return {"refused_by": self.refused_by, "accepted_by": self.accepted_by, "java": self.java}


class Kit:
    """The lines of the kit. Add releases from old to new."""

    def __init__(self) -> None:
        self.counts: dict[str, dict[str, int]] = {}
        self._lines: dict[str, list[str]] = {}
        self._frames: dict[str, list[str]] = {}
        self._refused: dict[str, _Answers] = {}
        self._batches = {batches: (_Answers(), list[Any]()) for batches in all_batches()}

    def add(self, release: str, wanted: Callable[[str], bool] = lambda _: True) -> None:
        """Add the lines of a release for the wanted messages. Raise ``KitError`` if a line differs in Java."""
        every = {message.plan.name: message for message in messages_of(release)}
        chosen = [message for name, message in every.items() if wanted(name)]
        with Oracle(release=release) as oracle:
            lines = checked_lines(release, oracle, chosen)
            refused = list(checked_refusals(oracle, chosen))
            frames = _checked_frames(release, oracle, every)
        for line in lines:
            self._lines.setdefault(json_text(line), []).append(release)
        for one in refused:
            self._refused.setdefault(json_text(one.content), _Answers()).add(release, one.error)
        for frame in frames:
            self._frames.setdefault(json_text(frame), []).append(release)
        self._add_batches(release)
        pairs = {(line["message"], line["version"]) for line in lines}
        counts = {"messages": len({name for name, _ in pairs}), "versions": len(pairs), "lines": len(lines)}
        self.counts[release] = {**counts, "refused": len(refused), "frames": len(frames), "batches": len(self._batches)}

    def files(self) -> dict[str, bytes]:
        """Return the files of the kit by path, without the checksums."""
        found: dict[str, list[str]] = {"batches.jsonl": list(self._batch_lines())}
        for text, releases in self._lines.items():
            line = json.loads(text)
            found.setdefault(f"messages/{line['message']}.jsonl", []).append(_with(text, {"releases": releases}))
        for text, answers in self._refused.items():
            line = json.loads(text)
            hex_text = line.pop("hex")
            whole = {**line, "rule": answers.rule(), "hex": hex_text, **answers.as_json()}
            found.setdefault(f"refused/{line['message']}.jsonl", []).append(json_text(whole))
        found["sessions.jsonl"] = [_with(text, {"releases": releases}) for text, releases in self._frames.items()]
        files = {
            path: "".join(f"{line}\n" for line in _in_order(path, lines)).encode() for path, lines in found.items()
        }
        files["releases.json"] = (json.dumps(self.counts, indent=2) + "\n").encode()
        for name in ("README.md", "lines.schema.json"):
            files[name] = (_HERE / name).read_bytes()
        return dict(sorted(files.items()))

    def _add_batches(self, release: str) -> None:
        answers = java_facts(release, [{"hex": batches.data.hex()} for batches in self._batches])
        for (batches, (known, read)), answer in zip(self._batches.items(), answers, strict=True):
            error = answer.get("error")
            known.add(release, error)
            if batches.reason is not None:
                continue
            found = [_spelled(batch) for batch in answer.get("batches", [])]
            if error is not None or not batches.agrees(found) or (read and read != found):
                raise KitError(f"Kafka {release}, batches {batches.about()}: {answer}")
            read[:] = found

    def _batch_lines(self) -> Iterable[str]:
        for batches, (answers, read) in self._batches.items():
            if batches.reason is None:
                yield json_text({**batches.about(), "releases": answers.accepted_by, "batches": read})
            else:
                yield json_text({**batches.about(), "rule": answers.rule(), **answers.as_json()})


def _checked_frames(release: str, oracle: Oracle, messages: Mapping[str, Message]) -> list[Content]:
    """Return the frames of sessions that a release has. Raise ``KitError`` if its classes write other bytes."""
    frames = list(frames_of(messages))
    questions: list[Question] = []
    for frame in frames:
        header = "RequestHeader" if frame.content["from"] == "client" else "ResponseHeader"
        questions.append(Question("reencode", header, frame.content["header_version"], hex=frame.header.hex()))
        questions.append(
            Question("reencode", frame.content["message"], frame.content["body_version"], hex=frame.body.hex())
        )
    for question, answer in zip(questions, oracle.ask_all(questions), strict=True):
        if answer.error is not None or answer.hex != question.hex or answer.trailing:
            raise KitError(f"Kafka {release}: {question} gives {answer.parts}")
    return [frame.content for frame in frames]


def _spelled(batch: dict[str, Any]) -> dict[str, Any]:
    """Return a batch with the same spelling of its codec and type of timestamps in all releases."""
    return {**batch, "codec": batch["codec"].lower()}


def _with(text: str, more: Content) -> str:
    return f"{text[:-1]},{json_text(more)[1:]}"


def _in_order(path: str, lines: Sequence[str]) -> Sequence[str]:
    """Return the lines in the order of versions; the lines of a version stay in the order in which they were added."""
    return lines if "/" not in path else sorted(lines, key=lambda line: int(json.loads(line)["version"]))
