"""Builds: reproducible bytes, bills of materials, checks, and the progress that is printed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from messagegen import __version__
from release import __main__ as command
from release import bills, build, checks, dist_folder, source, targets
from release.hatch_build import BUILD_FILE, build_version
from release.source import Source
from release.targets import TARGETS

ROOT = Path(__file__).parents[2]
EPOCH = 1_790_000_000
LOCAL_PART = "+20260921141320.g0123456789ab"
VERSION = f"{__version__}{LOCAL_PART}"


def copy(to: Path) -> Source:
    """Copy the sources of one distribution to ``to``, as an export of a commit has them."""
    for name in ("client", "generator"):
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__", "build.txt"))
    (to / "release").mkdir()
    for name in ("commit.txt", "hatch_build.py"):
        shutil.copy(ROOT / "release" / name, to / "release")
    (to / BUILD_FILE).write_text(LOCAL_PART, encoding="ascii")
    for path in to.rglob("*"):
        os.utime(path, (EPOCH + len(path.parts), EPOCH + len(path.parts)))
    return Source(to, "0" * 40, EPOCH)


@pytest.mark.slow
def test_builds_do_not_depend_on_the_folder_of_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "PYTHON_DISTRIBUTIONS", {"messagegen-client": "client"})
    built = []
    for name in ("one", "another/place"):
        out = tmp_path / name / "dist"
        source = copy(tmp_path / name / "source")
        for distribution in build.PYTHON_DISTRIBUTIONS:
            build.build_python(source, distribution, out)
        built.append({path.name: path.read_bytes() for path in out.iterdir()})
    assert built[0] == built[1]
    assert set(built[0]) == {
        f"messagegen_client-{VERSION}.tar.gz",
        f"messagegen_client-{VERSION}-py3-none-any.whl",
    }
    with zipfile.ZipFile(out / f"messagegen_client-{VERSION}-py3-none-any.whl") as wheel:
        metadata = wheel.read(f"messagegen_client-{VERSION}.dist-info/METADATA").decode()
        assert f"\nRequires-Dist: messagegen-kafka=={__version__}\n" in metadata
        assert f"messagegen_client-{VERSION}.dist-info/licenses/LICENSE" in wheel.namelist()


def test_a_bill_lists_the_requirements_of_a_distribution() -> None:
    bill = json.loads(bills.python_bill("messagegen-client", Source(ROOT, "0" * 40, EPOCH)))
    needed = {component["name"]: component["version"] for component in bill["components"]}
    assert needed["messagegen-kafka"] == build_version(ROOT)
    assert {"click", "javaproperties", "pyyaml"} <= set(needed)
    assert not {"aiokafka", "black", "jinja2", "messagegen"} & set(needed)
    assert bill["metadata"]["timestamp"].startswith("2026-09-21T")


@pytest.mark.skipif(not shutil.which("cargo"), reason="cargo is not installed")
def test_the_bill_of_materials_of_the_engine_lists_its_crates() -> None:
    text = bills.native_bill(Source(ROOT, "0" * 40, EPOCH), ROOT / "native", TARGETS[0])
    crates = {component["name"]: component for component in json.loads(text)["components"]}
    assert len(crates["pyo3"]["hashes"][0]["content"]) == 64
    assert "windows-link" not in crates
    assert "maturin" not in crates
    assert str(ROOT) not in text


class TestChecks:
    def test_a_distribution_without_a_licence_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(checks, "_run", lambda _: "{}")
        with zipfile.ZipFile(tmp_path / "x-1-py3-none-any.whl", "w") as wheel:
            wheel.writestr("x.py", "")
        with pytest.raises(checks.CheckError, match=r"x-1-py3-none-any\.whl has no LICENSE"):
            checks.check(tmp_path)
        with pytest.raises(checks.CheckError, match="has no distributions"):
            checks.check(tmp_path / "absent")

    @pytest.mark.parametrize(
        ("tag", "report", "expected"),
        [
            ("manylinux_2_17_x86_64", {"overall_tag": "manylinux_2_17_x86_64"}, None),
            ("manylinux_2_17_x86_64", {"overall_tag": "manylinux_2_34_x86_64"}, "only works on manylinux_2_34_x86_64"),
            ("musllinux_1_2_x86_64", {"external_libs": {"libc.so": None}}, None),
            ("musllinux_1_2_x86_64", {"external_libs": {"libc.so": None, "libz.so.1": ""}}, "does not have: libz.so.1"),
        ],
    )
    def test_wheels_that_need_more_than_their_platform_tag_allows_are_refused(
        self, tag: str, report: dict[str, object], expected: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(checks, "_run", lambda _: json.dumps(report))
        wheel = tmp_path / f"x-1-cp311-cp311-{tag}.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("x-1.dist-info/licenses/LICENSE", "")
        if expected is None:
            checks.check(tmp_path)
        else:
            with pytest.raises(checks.CheckError, match=expected):
                checks.check(tmp_path)


class TestLibraries:
    """A native library in the jar may depend only on an old glibc."""

    @pytest.mark.parametrize(
        ("libraries", "versions", "expected"),
        [
            ("libc.so.6", "2.2.5 2.17", None),
            ("libc.so.6 libgcc_s.so.1 ld-linux-aarch64.so.1", "2.17", None),
            ("libc.so.6", "2.9 2.28", "needs glibc 2.28, expected 2.17 or older"),
            ("libc.so.6 libzstd.so.1", "2.2.5", "not part of glibc: libzstd.so.1"),
            ("libc.musl-x86_64.so.1", "", "not part of glibc: libc.musl-x86_64.so.1"),
            ("", "", "no versions of glibc"),
        ],
    )
    def test_libraries_that_need_more_than_glibc_2_17_are_refused(
        self, libraries: str, versions: str, expected: str | None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        needed = [f"0x01 (NEEDED)  Shared library: [{name}]" for name in libraries.split()]
        described = "\n".join([*needed, *(f"0x02  Name: GLIBC_{version}  Flags: none" for version in versions.split())])
        monkeypatch.setattr(checks, "_run", lambda _: described)
        if expected is None:
            checks.check_library(Path("lib.so"), "2.17")
        else:
            with pytest.raises(checks.CheckError, match=expected):
                checks.check_library(Path("lib.so"), "2.17")

    @pytest.mark.skipif(not shutil.which("readelf"), reason="readelf is not installed")
    def test_the_glibc_version_of_a_real_library_is_read(self) -> None:
        compiled = find_spec("pydantic_core._pydantic_core")
        assert compiled is not None
        assert compiled.origin is not None
        library = Path(compiled.origin)
        checks.check_library(library, "99.0")
        with pytest.raises(checks.CheckError, match=r"needs glibc 2\.\d+, expected 2\.1 or older"):
            checks.check_library(library, "2.1")

    def test_a_file_that_is_not_a_library_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(checks.CheckError, match=r"readelf (failed|is not on the PATH)|no versions of glibc"):
            checks.check_library(tmp_path / "missing.so", "2.17")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("cargo"), reason="cargo is not installed")
def test_the_sdist_of_the_engine_has_all_files_for_compiling(tmp_path: Path) -> None:
    sdist = build.build_native_sdist(Source(ROOT, "0" * 40, EPOCH), tmp_path)
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"Cargo.toml", "Cargo.lock", "LICENSE", "messagegen_native.pyi", "core/src/lib.rs"}
    # Cargo refuses a lock file that names one of our crates if the crate's sources are missing.
    assert wanted | {"python/Cargo.toml", "python/build.rs", "python/src/lib.rs", "jni/Cargo.toml"} <= names


def test_every_package_has_a_marker_for_type_checkers() -> None:
    sources = ("generator", "generated", "client", "testing", "pipeline")
    packages = {path.parent for folder in sources for path in (ROOT / folder).glob("messagegen*/__init__.py")}
    assert {"messagegen", "messagegen_arrow", "messagegen_kafka"} <= {package.name for package in packages}
    assert [package.name for package in packages if not (package / "py.typed").exists()] == []


def test_the_release_script_can_be_imported_without_packages_for_checks() -> None:
    """The environment of ``make wheels`` lacks the packages in ``missing``."""
    missing = ("auditwheel", "cyclonedx", "jinja2", "jsonschema", "twine")
    program = f"import sys; sys.modules.update(dict.fromkeys({missing}, None)); import release.__main__"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


class TestProgress:
    """A build takes up to half an hour, and prints each step when it begins."""

    @pytest.fixture
    def built(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
        """The output folder of builds. Every slow step is replaced by a function that does nothing."""

        def nothing(*_: object, **__: object) -> str:
            return ""

        def unpack(*_: object) -> Path:
            return tmp_path

        def export(*_: object) -> object:
            return Source(tmp_path, "0" * 40, EPOCH)

        def build_jar(*_: object) -> Path:
            jar = tmp_path / "kafka-log.jar"
            jar.touch()
            return jar

        monkeypatch.setattr(command, "CACHE", tmp_path / "cache")
        monkeypatch.setattr(source, "export", export)
        for name in ("build_library", "build_python", "build_native_sdist", "fetch_crates"):
            monkeypatch.setattr(build, name, nothing)
        for name in ("build_native_wheels", "rust_version", "build_own_library"):
            monkeypatch.setattr(build, name, nothing)
        monkeypatch.setattr(build, "build_jar", build_jar)
        monkeypatch.setattr(build, "unpack", unpack)
        monkeypatch.setattr(build, "missing_targets", lambda _: [])
        monkeypatch.setattr(bills, "native_bill", nothing)
        monkeypatch.setattr(command, "_finish", nothing)
        monkeypatch.setattr(targets, "system", lambda: "linux")
        return tmp_path / "dist"

    @pytest.mark.parametrize("options", [[], ["--no-native"], ["--target", "x86_64-unknown-linux-musl"]])
    def test_steps_of_a_build_are_numbered(self, built: Path, options: list[str]) -> None:
        outcome = CliRunner().invoke(command.main, ["build", "--out", str(built), *options], catch_exceptions=False)
        steps = re.findall(r"^\[(\d+) of (\d+)\] .+$", outcome.stderr, re.MULTILINE)
        assert [(int(number), int(total)) for number, total in steps] == [
            (number, len(steps)) for number in range(1, len(steps) + 1)
        ]
        assert "messagegen-client: sdist and wheel" in outcome.stderr

    def test_the_wheel_with_the_jar_replaces_the_wheel_without_it(
        self, built: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def write_wheel(_: Source, name: str, out: Path) -> None:
            (out / f"{name}.whl").write_text("with the jar")

        built.mkdir()
        for name in ("messagegen.whl", "messagegen-pipeline.whl"):
            (built / name).write_text("without the jar")
        dist_folder.write_digests(built)
        monkeypatch.setattr(build, "build_python", write_wheel)
        outcome = CliRunner().invoke(command.main, ["spark", "--out", str(built)], catch_exceptions=False)
        assert [step[1] for step in re.findall(r"^\[((\d+) of 5)\] .+$", outcome.stderr, re.MULTILINE)] == list("12345")
        assert outcome.stdout.endswith(" MB  messagegen-pipeline.whl\n")
        assert {path.name: path.read_text() for path in built.glob("*.whl")} == {
            "messagegen.whl": "without the jar",
            "messagegen-pipeline.whl": "with the jar",
        }
        assert dist_folder.written(built) == {"messagegen.whl", "messagegen-pipeline.whl", "SHA256SUMS"}

    def test_steps_of_building_the_jar_are_numbered(self, built: Path) -> None:
        outcome = CliRunner().invoke(command.main, ["jar", "--out", str(built)], catch_exceptions=False)
        steps = re.findall(r"^\[(\d) of 3\] the jar for Spark", outcome.stderr, re.MULTILINE)
        assert steps == ["1", "2", "3"]
        assert dist_folder.written(built) == {"kafka-log.jar", "SHA256SUMS"}

    def test_the_jar_can_only_be_built_for_linux_with_glibc(self, built: Path) -> None:
        outcome = CliRunner().invoke(
            command.main, ["jar", "--out", str(built), "--target", "x86_64-unknown-linux-musl"]
        )
        assert outcome.exit_code == 2
        assert "the jar needs a target for Linux with glibc" in outcome.stderr

    def test_steps_of_building_wheels_are_numbered(self, built: Path) -> None:
        target = "x86_64-unknown-linux-gnu"
        arguments = ["wheels", "--out", str(built), "--target", target, "--python", "3.12"]
        outcome = CliRunner().invoke(command.main, arguments, catch_exceptions=False)
        assert f"[2 of 2] messagegen-native: wheels for {target}, Python 3.12\n" in outcome.stderr
