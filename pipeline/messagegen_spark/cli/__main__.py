"""``python -m messagegen_spark.cli``: the same as ``messagegen-pipeline``."""

from __future__ import annotations

from messagegen_spark.cli.main import main

if __name__ == "__main__":
    main()
