"""Shared parts of all tests: options of pytest, groups of tests, golden files, official specs and oracles."""

from __future__ import annotations

import gc
import os
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.oracle import KAFKA_RELEASE, TOOLS_RELEASE, Oracle, official_specs
from tests.support import checkout, profiles, selection, tools

profiles.register()

# Commands that tests run must not inherit the variables of make. Workers of pytest inherit the size of the terminal
# from readline, which would make tables narrower than in a run without workers.
for _name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "COLUMNS", "LINES"):
    os.environ.pop(_name, None)
# Progress would change the output on slow machines.
os.environ["MESSAGEGEN_PROGRESS"] = "0"

_PLUGINS: Final = ("tests.broker.fixtures", "tests.support.object_store")
"""Modules with shared fixtures. They load packages, so they are imported after `--codec` is read."""

collect_ignore_glob = [f"{folder}/*" for folder in tools.left_out()]

_FOLDERS_OF_ENGINE: Final = {
    Path(__file__).with_name(folder) for folder, needed in tools.FOLDERS.items() if tools.ENGINE in needed
}
"""Folders whose tests need the native engine."""

_STARTED: Final = pytest.StashKey[float]()
"""The time at which the tests of this process were collected."""

_CHECKOUT: Final = pytest.StashKey[set[str]]()
"""Differences between the checkout and its commit at the start of a CI run."""

_COLLECTED_AFTER: Final = (20_000, 20, 20)
"""Thresholds of the garbage collector: new objects, and collections of the youngest and middle generation."""

Golden = Callable[[Path, str], None]
"""Compares a text with the golden file at a path, or rewrites the file if ``--update-golden`` is set."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="run only the tests that have golden files, and rewrite the files"
    )
    parser.addoption(
        "--codec",
        choices=selection.CODECS,
        help="run only the tests of this codec, and all other tests with it: generated Python, or the native engine",
    )
    parser.addoption("--cases", type=int, help="run at most this many cases of each test, spread evenly")
    parser.addoption(
        "--seconds",
        type=float,
        help="run tests in random order, and skip those after this time",
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    """Sort the tests into groups, and run each group in one worker.

    Tests of all official specs form one group, so that plans and classes are made once. Tests with Spark form another,
    so that Spark is started once. Cases for releases other than the newest one are slow.
    Slow tests without a group go first, so that no worker waits for them at the end.
    With ``--update-golden``, only tests with golden files run; with ``--codec``, only tests of that codec; with
    ``--cases``, only some of the cases that all other options select.
    """
    codec = config.getoption("--codec")
    if codec:
        _keep(config, items, lambda item: _is_of_codec(item, codec))
    if config.getoption("--update-golden"):
        _keep(config, items, lambda item: "golden" in getattr(item, "fixturenames", ()))
    for item in items:
        _add_markers(item)
    items.sort(key=lambda item: "slow" not in item.keywords or "xdist_group" in item.keywords)
    config.stash[_STARTED] = time.monotonic()
    if config.getoption("--seconds") is not None:
        Random(profiles.seed()).shuffle(items)
    yield
    most = config.getoption("--cases")
    if most is not None:
        cases = selection.spread_cases((item.nodeid for item in items), most)
        _keep(config, items, lambda item: item.nodeid in cases)


def _add_markers(item: pytest.Item) -> None:
    tool = tools.missing_for(mark.name for mark in item.iter_markers())
    if tool is not None:
        item.add_marker(pytest.mark.skip(reason=tools.skip_reason(tool)))
    if "official" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.xdist_group("official"))
    if "spark" in getattr(item, "fixturenames", ()) and item.get_closest_marker("xdist_group") is None:
        item.add_marker(pytest.mark.xdist_group("spark"))
    if _is_of_older_release(item):
        item.add_marker(pytest.mark.slow)
    if "exhaustive" in item.keywords:
        item.add_marker(pytest.mark.slow)


def _keep(config: pytest.Config, items: list[pytest.Item], wanted: Callable[[pytest.Item], bool]) -> None:
    config.hook.pytest_deselected(items=[item for item in items if not wanted(item)])
    items[:] = filter(wanted, items)


def _is_of_codec(item: pytest.Item, codec: str) -> bool:
    parameters: Mapping[str, Any] = {}
    if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
        parameters = item.callspec.params
    return selection.is_of_codec(codec, parameters, (mark.name for mark in item.iter_markers()))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip folders whose tests need the native engine if only generated Python is tested."""
    is_pure = config.getoption("--codec") == selection.PURE
    return True if is_pure and collection_path in _FOLDERS_OF_ENGINE else None


def _is_of_older_release(item: pytest.Item) -> bool:
    """Whether the parameter ``release``, or the last of ``releases``, is older than the newest release."""
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return False
    parameters: Mapping[str, Any] = item.callspec.params
    releases: Any = parameters.get("releases", [parameters.get("release", KAFKA_RELEASE)])
    return bool(releases[-1] != KAFKA_RELEASE)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    seconds = item.config.getoption("--seconds")
    if seconds is not None and time.monotonic() - item.config.stash[_STARTED] > seconds:
        pytest.skip(f"{seconds:.0f} seconds are over")


def pytest_configure(config: pytest.Config) -> None:
    _choose_codec(config.getoption("--codec"))
    for plugin in _PLUGINS:
        config.pluginmanager.import_plugin(plugin)
    missing = tools.missing_in_ci()
    if missing:
        names = ", ".join(tool.name for tool in missing)
        raise pytest.UsageError(f"{tools.REQUIRED_BY_CI} is set, and these tools are missing: {names}")
    # Compare only in CI, because developers may edit files during the tests. Only the process that starts the workers
    # compares.
    if tools.is_ci() and not hasattr(config, "workerinput"):
        config.stash[_CHECKOUT] = checkout.state()


def _choose_codec(codec: str | None) -> None:
    """Select a codec for all packages, including those in other processes. Packages read it when they are loaded."""
    if codec == selection.PURE:
        os.environ["MESSAGEGEN_PURE"] = "1"
    elif codec == selection.NATIVE:
        os.environ.pop("MESSAGEGEN_PURE", None)
        if not tools.ENGINE.is_there():
            raise pytest.UsageError("--codec native: messagegen-native is not installed; run make native")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run if a test changed files of the checkout."""
    before = session.config.stash.get(_CHECKOUT, None)
    changed = set() if before is None else checkout.state() ^ before
    if changed:
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line(f"\ntests changed the checkout: {', '.join(sorted(changed))}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Summarize the skipped tests, and the tools to install for them."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    )
    config = terminalreporter.config
    for folder, tool in tools.left_out().items():
        where, start = Path(__file__).with_name(folder), config.invocation_params.dir
        reasons[tools.skip_reason(tool)] += selection.selected_modules(where, config.args, start)
    reasons = +reasons
    if reasons:
        updating = config.getoption("--update-golden")
        terminalreporter.write_sep("-", "golden files not rewritten" if updating else "not tested")
        for line in tools.summary(reasons):
            terminalreporter.write_line(line)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exclude long-lived objects, such as tests, modules and cases, from garbage collection.

    Also collect less often, because tests make many short-lived values but hardly any cycles.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*_COLLECTED_AFTER)
        gc.enable()


def pytest_unconfigure() -> None:
    # DuckDB reports frozen objects as leaked at exit.
    gc.unfreeze()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    update = bool(request.config.getoption("--update-golden"))

    def hold(path: Path, text: str) -> None:
        data = text.encode()
        if update and (not path.exists() or path.read_bytes() != data):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        assert path.exists(), f"{path} is missing; `make golden` writes it"
        assert path.read_bytes().decode() == text

    return hold


@pytest.fixture(scope="session")
def official(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the official specs, with a subfolder for each artifact."""
    root = tmp_path_factory.mktemp("official")
    for artifact, texts in official_specs().items():
        (root / artifact).mkdir()
        for name, text in texts.items():
            (root / artifact / f"{name}.json").write_text(text, encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """A running oracle that uses Kafka's own classes."""
    with Oracle() as running:
        yield running


@pytest.fixture(scope="session")
def generator() -> Iterator[Oracle]:
    """A running oracle that uses Apache's generator, and the classes of the same release."""
    with Oracle(release=TOOLS_RELEASE) as running:
        yield running
