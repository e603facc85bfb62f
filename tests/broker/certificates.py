"""Certificates for the TLS listeners, as the PEM files that Kafka and Python read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import trustme
from cryptography.hazmat.primitives import serialization

_OWNER_ONLY = 0o600


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files in PEM: the authority, and key with certificate chain of a server and of a client that it signed.

    The server's certificate is for ``localhost`` and ``127.0.0.1``; the client's is for ``client@messagegen.test``.
    """

    authority: Path
    server: Path
    client: Path


def make_certificates(folder: Path) -> Certificates:
    """Makes a new certificate authority and what it signs, in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    authority = trustme.CA()
    made = Certificates(folder / "ca.pem", folder / "server.pem", folder / "client.pem")
    authority.cert_pem.write_to_path(made.authority)
    _write_key_and_chain(authority.issue_cert("localhost", "127.0.0.1"), made.server)
    _write_key_and_chain(authority.issue_cert("client@messagegen.test"), made.client)
    return made


def _write_key_and_chain(certificate: trustme.LeafCert, file: Path) -> None:
    # Kafka reads keys in PKCS 8 only, and trustme writes the older form.
    key = serialization.load_pem_private_key(certificate.private_key_pem.bytes(), password=None)
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    chain = b"".join(blob.bytes() for blob in certificate.cert_chain_pems)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWNER_ONLY), "wb") as out:
        out.write(pem + chain)
