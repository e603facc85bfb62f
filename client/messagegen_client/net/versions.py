"""Chooses the version of a request: the highest that client and broker support."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from messagegen_client.errors import NoCommonVersionError, ProtocolError, check_error_code
from messagegen_client.net.connection import Connection
from messagegen_client.net.metadata import Broker
from messagegen_client.net.software import NAME, software_version
from messagegen_kafka import ApiVersionsRequest, ApiVersionsResponse, DecodeError
from messagegen_kafka.error_codes import ErrorCode

if TYPE_CHECKING:
    from messagegen_kafka._runtime.messages import Request

_NEVER_SUPPORTED: Final = {
    "ResolveClientQuotas": "its API key, 50, is DescribeUserScramCredentials; use resolve_client_quotas",
}
"""Planned APIs whose key is used by another API."""
_HIGHEST: Final = ApiVersionsRequest.VALID_VERSIONS[-1]


async def ask_api_versions(connection: Connection) -> dict[int, range]:
    """The versions that the broker supports, by API key.

    Asks in the highest version. A broker that does not support it answers in version 0 with the versions that it does, and is
    asked again (KIP-511).
    """
    response = await _ask(connection, _HIGHEST)
    if ErrorCode(response.error_code) is ErrorCode.UNSUPPORTED_VERSION:
        response = await _ask(connection, _fallback(response))
    check_error_code(response.error_code, f"asking {connection.broker} for its ApiVersions")
    return {api.api_key: range(api.min_version, api.max_version + 1) for api in response.api_keys}


async def _ask(connection: Connection, version: int) -> ApiVersionsResponse:
    request = ApiVersionsRequest()
    if version in ApiVersionsRequest.FLEXIBLE_VERSIONS:
        request = ApiVersionsRequest(client_software_name=NAME, client_software_version=software_version())
    body = await connection.exchange(request, version, ApiVersionsResponse.header_version(version))
    try:
        return ApiVersionsResponse.decode(body, version=version)
    except DecodeError as problem:
        refusal = _refusal(body)
        if refusal is not None:
            return refusal
        error = ProtocolError(f"{connection.broker} sent an invalid ApiVersions response: {problem}")
        connection.fail(error)
        raise error from problem


def _refusal(body: bytes) -> ApiVersionsResponse | None:
    """The response of a broker that does not support the version; it is always in version 0."""
    try:
        response = ApiVersionsResponse.decode(body, version=0)
    except DecodeError:
        return None
    return response if ErrorCode(response.error_code) is ErrorCode.UNSUPPORTED_VERSION else None


def _fallback(refusal: ApiVersionsResponse) -> int:
    for api in refusal.api_keys:
        if api.api_key == ApiVersionsRequest.API_KEY:
            known = set(ApiVersionsRequest.VALID_VERSIONS) & set(range(api.min_version, api.max_version + 1))
            return max(known, default=0)
    return 0


def stable_versions(message: type[Request]) -> range:
    """The default versions of a request: all, except an unstable latest version."""
    valid = message.VALID_VERSIONS
    return valid[:-1] if message.LATEST_VERSION_UNSTABLE else valid


def highest_common(request: type[Request], offered: Mapping[int, range], versions: range | None, broker: Broker) -> int:
    """The version for a request. ``versions`` restricts it, and may include an unstable version.

    Raises ``NoCommonVersionError`` with both ranges.
    """
    api = request.__name__.removesuffix("Request")
    if api in _NEVER_SUPPORTED:
        raise NoCommonVersionError(f"no broker supports {api}: {_NEVER_SUPPORTED[api]}")
    wanted = stable_versions(request) if versions is None else versions
    theirs = offered.get(request.API_KEY)
    if theirs is None:
        raise NoCommonVersionError(f"{broker} does not support {api} (API key {request.API_KEY})")
    common = [version for version in wanted if version in theirs and version in request.VALID_VERSIONS]
    if not common:
        raise NoCommonVersionError(
            f"{broker} supports {api} {_text(theirs)}, this client uses {_text(wanted)}: no common version"
        )
    return max(common)


def _text(versions: range) -> str:
    if len(versions) == 1:
        return f"version {versions[0]}"
    return f"versions {min(versions)} to {max(versions)}" if versions else "no version"
