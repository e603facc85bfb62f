"""From settings to the files of an output, in memory.

A run renders only what has changed since an earlier run wrote the output.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from messagegen.build import code_digest
from messagegen.config import Settings
from messagegen.findings import Finding
from messagegen.generation.files import read_texts
from messagegen.generation.formatting import formatted
from messagegen.generation.runtimes import with_shared_runtime
from messagegen.progress import counted, step
from messagegen.publish.header import headed
from messagegen.publish.manifest import InputDigests, MessageInputs
from messagegen.publish.output import read_as_written

if TYPE_CHECKING:
    from messagegen.outputs import File

SPEC_LICENCE: Final = "LicenseRef-MessageSpecs"
"""Generated code has the licence of its specs, which is unknown unless configured."""


@dataclass(frozen=True, slots=True)
class Package:
    """An output folder in memory.

    ``files`` has texts by relative POSIX path, ``warnings`` are about the specs of its messages, and ``inputs`` says
    what it is made from.
    """

    files: Mapping[str, str]
    message_count: int
    warnings: tuple[Finding, ...] = ()
    inputs: InputDigests = field(default_factory=InputDigests)


@dataclass(frozen=True, slots=True)
class _Earlier:
    """What an earlier run left in the output folder: its files that nobody edited, and what they were made from.

    It is empty if the settings or the generator were other ones. ``complete`` says that no file is missing or edited.
    """

    files: Mapping[str, str]
    inputs: InputDigests
    complete: bool

    @classmethod
    def read(cls, output: Path | None, settings: str) -> _Earlier:
        """Reads an output folder, which may be missing; ``settings`` is the digest of the settings."""
        manifest, files = read_as_written(output) if output else (None, {})
        if manifest is None or manifest.inputs.settings != settings:
            return cls({}, InputDigests(), complete=False)
        return cls(files, manifest.inputs, complete=files.keys() == manifest.files.keys())

    def is_current(self, specs: Collection[str]) -> bool:
        """Whether everything was made from specs with these digests, and from no others."""
        return self.complete and self.inputs.other_specs == _others_digest(specs, self.inputs.messages)

    def text(self, path: str, inputs: MessageInputs, message: str) -> str | None:
        """The text of a file, if it was made from these inputs."""
        return self.files.get(path) if self.inputs.messages.get(message) == inputs else None


def build_package(settings: Settings) -> Package:
    """Reads, plans and renders everything; writes nothing.

    Files that the output folder of the settings has already, made from the same specs and settings, are taken from
    there. Raises ``SpecError`` with all findings, ``UsageError``, and ``ConfigError`` for a folder whose name cannot be
    that of a package.
    """
    settings = replace(settings, options=with_shared_runtime(settings))
    texts = read_texts(settings.require_specs(), settings.error_codes)
    digests = {file: _digest([text]) for file, text in texts.items()}
    settings_digest = _settings_digest(settings)
    with step("Reading the output of an earlier run"):
        earlier = _Earlier.read(settings.output, settings_digest)
    if earlier.is_current(digests.values()):
        return Package(earlier.files, len(earlier.inputs.messages), (), earlier.inputs)

    return _build(settings, settings_digest, texts, digests, earlier)


def _build(
    settings: Settings,
    settings_digest: str,
    texts: Mapping[str, bytes],
    digests: Mapping[str, str],
    earlier: _Earlier,
) -> Package:
    """Builds a package from the texts of specs; takes those files from an earlier run that did not change."""
    # Most runs have nothing to render.
    from messagegen import outputs  # noqa: PLC0415
    from messagegen.generation.loading import inputs_of  # noqa: PLC0415
    from messagegen.generation.sources import parse_sources  # noqa: PLC0415

    known = {inputs.spec for inputs in earlier.inputs.messages.values()}
    sources = parse_sources(
        texts,
        error_codes=settings.error_codes,
        messages=settings.messages,
        versions=settings.versions,
        valid={file for file, digest in digests.items() if digest in known},
    )
    with step("Planning messages"):
        files = outputs.files(inputs_of(sources), settings.include, settings.options)
    if settings.output and any(path.endswith(".py") for path in files):
        # Rendering is most of the work.
        settings.require_package()

    messages = {spec.name: MessageInputs(digests[spec.file]) for spec in sources.messages}
    for file in files.values():
        if file.plans:
            name, *others = file.plans
            messages[name] = MessageInputs(messages[name].spec, tuple(others))

    rendered = _render(files, messages, earlier, settings.licence or SPEC_LICENCE)
    # Specs with warnings are read again by each run, so that it can repeat them.
    others_digest = "" if sources.warnings else _others_digest(digests.values(), messages)
    inputs = InputDigests(settings_digest, messages, others_digest)
    return Package(rendered, len(sources.messages), sources.warnings, inputs)


def _render(
    files: Mapping[str, File], messages: Mapping[str, MessageInputs], earlier: _Earlier, licence: str
) -> dict[str, str]:
    """The texts of files by path; those that an earlier run made from the same inputs are not rendered again."""
    rendered: dict[str, str] = {}
    for path in counted(list(files)):
        file = files[path]
        kept = None
        if file.plans:
            message = file.plans[0]
            kept = earlier.text(path, messages[message], message)
        if kept is not None:
            rendered[path] = kept
            continue
        with step("Rendering files", path):
            rendered[path] = _file_text(path, file, licence)
    return rendered


def _file_text(path: str, file: File, licence: str) -> str:
    """The text of a file with its header; a file with a licence of its own is copied as it is."""
    text = file.render()
    if not path.endswith(".py"):
        return text
    if file.licence:
        return headed(path, text, file.licence, signed=file.signed)
    return headed(path, formatted(text), licence, signed=file.signed)


def _settings_digest(settings: Settings) -> str:
    """The digest of the generator, and of all settings except places: where specs are, and where the output is."""
    # Of the error codes, the text counts, which is among the texts of specs, and whether there are any.
    error_codes = Path() if settings.error_codes else None
    counted = replace(settings, specs=(), output=None, file=None, error_codes=error_codes)
    return _digest([code_digest(), repr(counted)])


def _digest(parts: Iterable[bytes | str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else part.encode())
    return digest.hexdigest()[:16]


def _others_digest(specs: Iterable[str], messages: Mapping[str, MessageInputs]) -> str:
    """The digest of those specs that no message of an output is made from, by the digests of all specs."""
    rest = Counter(specs)
    rest.subtract(inputs.spec for inputs in messages.values())
    return _digest(json.dumps(sorted(one for one in rest.items() if one[1])))
