"""A certificate authority for tests, with contexts for servers and clients."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

import trustme

from messagegen_testing.endpoint import HOST


@dataclass(frozen=True)
class Authority:
    """Issues certificates for ``127.0.0.1``. ``file`` contains the authority's own certificate."""

    authority: trustme.CA
    file: Path

    @classmethod
    def make(cls, folder: Path) -> Authority:
        """Create an authority, and write its certificate to ``folder``."""
        authority = trustme.CA()
        file = folder / "ca.pem"
        authority.cert_pem.write_to_path(file)
        return cls(authority, file)

    def server(self, *, asks_for_certificate: bool = False) -> ssl.SSLContext:
        """Return the context of a server with a certificate. The server may require client certificates."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.authority.issue_cert(HOST).configure_cert(context)
        if asks_for_certificate:
            self.authority.configure_trust(context)
            context.verify_mode = ssl.CERT_REQUIRED
        return context

    def client(self, *, with_certificate: bool = False) -> ssl.SSLContext:
        """Return the context of a client that trusts the authority. The client may have a certificate."""
        context = ssl.create_default_context()
        self.authority.configure_trust(context)
        if with_certificate:
            self.authority.issue_cert(HOST).configure_cert(context)
        return context
