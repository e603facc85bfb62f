"""``python -m messagegen_spark.cli.advise``: the same as ``messagegen-advise``."""

from __future__ import annotations

from messagegen_spark.cli.advise.main import main

if __name__ == "__main__":
    main()
