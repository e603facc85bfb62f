"""The functions that the native library exports to the JVM."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[2]
_RUST: Final = _ROOT / "native" / "jni" / "src"
_JAVA: Final = _ROOT / "pipeline" / "java" / "messagegen" / "spark"
_EXPORT: Final = re.compile(r'pub extern "system" fn Java_messagegen_spark_Native_(\w+).*?\n}\n', re.DOTALL)
_DECLARATION: Final = re.compile(r"static native [\w\[\]]+ (\w+)\(")


def _exports() -> dict[str, str]:
    """Return the source text of each exported function, by its name in Java."""
    texts = (path.read_text(encoding="utf-8") for path in _RUST.rglob("*.rs"))
    return {found[1]: found[0] for text in texts for found in _EXPORT.finditer(text)}


def test_every_export_turns_failures_and_panics_into_exceptions() -> None:
    unguarded = [name for name, text in _exports().items() if "guarded(&mut env, " not in text]
    assert unguarded == []


def test_java_declares_and_calls_every_export() -> None:
    """The released library exports nothing that only tests use."""
    declared = _DECLARATION.findall((_JAVA / "Native.java").read_text(encoding="utf-8"))
    assert sorted(declared) == sorted(_exports())
    java = "".join(path.read_text(encoding="utf-8") for path in _JAVA.glob("*.java"))
    assert [name for name in declared if f"Native.{name}(" not in java] == []
