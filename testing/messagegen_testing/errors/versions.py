"""ApiVersions responses, including refusals of a request's version (KIP-511)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from messagegen_kafka import ErrorCode, Response


def api_versions(response_class: Any, offered: Mapping[int, tuple[int, int]], error_code: int = 0) -> Response:
    """Return an ApiVersions response; ``offered`` has the lowest and highest version by API key."""
    (entry,) = [field.struct for field in response_class.fields(version=0) if field.name == "api_keys"]
    keys = [
        entry(api_key=key, min_version=lowest, max_version=highest)
        for key, (lowest, highest) in sorted(offered.items())
    ]
    response: Response = response_class(error_code=int(error_code), api_keys=tuple(keys))
    return response


def refusal(request_class: Any, version: int) -> Response:
    """Return the answer, in version 0, to an ApiVersions request in a version that a broker does not support.

    Like an older broker, it offers the versions of ApiVersions below the refused one. If there are no lower versions,
    it offers all.
    """
    lowest, highest = request_class.VALID_VERSIONS[0], request_class.VALID_VERSIONS[-1]
    if version > lowest:
        highest = min(highest, version - 1)
    offered = {request_class.API_KEY: (lowest, highest)}
    return api_versions(request_class.RESPONSE, offered, ErrorCode.UNSUPPORTED_VERSION)
