"""A spec before and after breaking changes."""

from __future__ import annotations

OLD = """\
{
  "type": "data",
  "name": "Reading",
  "validVersions": "0-1",
  "flexibleVersions": "none",
  "fields": [
    { "name": "Sensor", "type": "string", "versions": "0+" },
    { "name": "Count", "type": "int32", "versions": "1+" }
  ]
}
"""

NEW = OLD.replace('"Sensor"', '"SensorName"').replace("int32", "string")
