"""Where specs and generated code are in a repository, by its configuration or the one to be written."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final, cast

from messagegen.config import FILE_NAME, ConfigError, find_config, load_outputs, package_name
from messagegen.git import default_branch
from messagegen.places import repository_of

SCHEMA_FILE: Final = "message_spec.schema.json"
_SPECS: Final = "message_specs"
_BRANCH: Final = "main"
_PLAIN: Final = re.compile(r"[\w./-]+")
"""What all files of a set-up can contain without quotes or escapes."""
_COMMIT: Final = re.compile(r"git\+(https|ssh)://[\w./@:~-]+@[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Layout:
    """A repository, or a folder of one.

    ``specs`` and ``outputs`` are relative POSIX paths below ``folder``. ``configured`` says whether the configuration is there.
    ``top`` is the top of the git repository, ``None`` where there is none; ``branch`` is its main branch. ``install`` is what CI
    passes to pip, ``None`` where it is unknown.
    """

    folder: Path
    specs: tuple[str, ...]
    outputs: tuple[str, ...]
    configured: bool
    top: Path | None
    branch: str
    install: str | None

    @property
    def is_top(self) -> bool:
        """Whether files that only count at the top of a repository can be written."""
        return self.top is None or self.top.resolve() == self.folder.resolve()


def read_layout(folder: Path, specs: str | None = None, output: str | None = None) -> Layout:
    """The layout of ``folder``; ``specs`` and ``output`` are for one without configuration, in place of what is usual.

    Raises ``ConfigError`` for a configuration that cannot be read, and for ``specs`` or ``output`` where there is one already;
    ``UsageError`` where git fails.
    """
    file = folder / FILE_NAME
    top = repository_of(folder)
    branch = (default_branch(folder) if top else None) or _BRANCH
    configured = find_config(folder) == file
    if configured:
        if specs or output:
            raise ConfigError(f"{file} has [tool.messagegen] already; change specs and output there")
        found = load_outputs(file)
        folders = tuple(dict.fromkeys(name for one in found for path in one.specs for name in _below(path, folder)))
        outputs = tuple(name for one in found if one.output for name in _below(one.output, folder))
    else:
        folders, outputs = (_inside(specs or _SPECS),), (_inside(output or f"src/{_package(file)}"),)
        package_name(folder / outputs[0])
    branch = branch if _PLAIN.fullmatch(branch) else _BRANCH
    return Layout(folder, folders, outputs, configured, top, branch, _installed_from())


def _installed_from() -> str | None:
    """The commit that this messagegen was installed from, as pip recorded it (PEP 610)."""
    try:
        origin = json.loads(distribution("messagegen").read_text("direct_url.json") or "{}")
        install = f"git+{origin['url']}@{origin['vcs_info']['commit_id']}"
    except (PackageNotFoundError, ValueError, KeyError):
        return None
    # A bare name would install what somebody else may have registered under it.
    return f"messagegen @ {install}" if _COMMIT.fullmatch(install) else None


def _package(file: Path) -> str:
    """The name of the package of a new configuration, after the project or the folder."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        document = {}
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"{file} is not TOML: {error}") from None
    project = document.get("project")
    stated = cast("dict[str, object]", project).get("name") if isinstance(project, dict) else None
    name = re.sub(r"[^a-z0-9]+", "_", str(stated or file.parent.resolve().name).lower()).strip("_")
    return f"{name}_messages" if name.isidentifier() else "messages"


def _inside(path: str) -> str:
    if Path(path).is_absolute() or ".." in Path(path).parts or not _PLAIN.fullmatch(path):
        raise ConfigError(
            f"{path} must be inside the folder that is set up, and have a plain name; write it as src/messages"
        )
    return Path(path).as_posix()


def _below(path: Path, folder: Path) -> tuple[str, ...]:
    """The path relative to ``folder``, if it is inside."""
    return (path.relative_to(folder).as_posix(),) if path.is_relative_to(folder) else ()
