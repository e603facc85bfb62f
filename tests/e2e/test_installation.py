"""A wheel, an sdist and an editable install have the same command, the same output and the same page of advice."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from release.archives import unpack_files

CHECKOUT = Path(__file__).parents[2]
SITE = sysconfig.get_path("purelib")
FORMS = ("wheel", "sdist", "editable")

# Ignore the site's own .pth files, so that nothing is imported from the environment's editable install.
START = """
import site, sys
site.addsitedir(sys.argv[1])
sys.path.append(sys.argv[2])
"""
GENERATE = f"""{START}
import messagegen, messagegen.cli
print(messagegen.__file__)
arguments = ["--specs", sys.argv[3], "--output", sys.argv[4], "--error-codes", "kafka"]
sys.exit(messagegen.cli.run(["generate", *arguments]))
"""
TEMPLATES = f"""{START}
from jinja2 import Environment
from messagegen.templating import template_loader
for output, name in (("python", "module.py.j2"), ("error_codes", "module.py.j2"), ("site", "page.html.j2")):
    template_loader(output).get_source(Environment(autoescape=True), name)
"""


def build(hook: str, source: Path, to: Path) -> Path:
    """Run one of hatchling's PEP 517 hooks in a checkout or an unpacked sdist, and return the built file."""
    command = f"import sys, hatchling.build as backend; print(backend.{hook}(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", command, str(to)], cwd=source, check=True, capture_output=True, text=True
    )
    return to / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module", params=FORMS)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, installed in one of these forms."""
    scratch = tmp_path_factory.mktemp(request.param)
    source = CHECKOUT
    if request.param == "sdist":
        with tarfile.open(build("build_sdist", CHECKOUT, scratch)) as archive:
            unpack_files(archive, scratch)
        (source,) = (path for path in scratch.iterdir() if path.is_dir())
    hook = "build_editable" if request.param == "editable" else "build_wheel"
    installed = scratch / "site"
    with zipfile.ZipFile(build(hook, source, scratch)) as wheel:
        wheel.extractall(installed)
    return installed


def run(code: str, site: Path, *arguments: Path) -> str:
    command = [sys.executable, "-S", "-c", code, str(site), SITE, *map(str, arguments)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=site)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_installed_command_generates_the_same_module_as_the_checkout(site: Path, tmp_path: Path) -> None:
    specs, output = tmp_path / "specs", tmp_path / "kafka_like"
    specs.mkdir()
    for kind in ("Request", "Response"):
        shutil.copy(CHECKOUT / "message_specs" / f"Metadata{kind}.json", specs)
    place = Path(run(GENERATE, site, specs, output).splitlines()[0])
    is_editable = not (site / "messagegen").is_dir()
    assert place.is_relative_to(CHECKOUT / "generator" if is_editable else site)
    committed = CHECKOUT / "generated" / "messagegen_kafka" / "metadata_request.py"
    # The first lines are left out, because the licence in the header depends on the configuration.
    assert (output / "metadata_request.py").read_text().splitlines()[4:] == committed.read_text().splitlines()[4:]


def test_every_template_is_installed(site: Path) -> None:
    run(TEMPLATES, site)


def test_only_the_package_messagegen_is_installed(site: Path) -> None:
    names = {path.name for path in site.iterdir() if not path.name.endswith((".dist-info", ".pth"))}
    assert names <= {"messagegen"}
