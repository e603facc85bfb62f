"""The protocol of one connection without I/O: bytes in, events out; messages in, bytes out.

``ClientSession`` is the side that sends requests, ``BrokerSession`` the side that answers them. ``Observer`` reads the
bytes of both sides, for a proxy or a capture. Sessions frame payloads, match responses to requests, and choose the
header version of a message. They open no sockets, never wait, and read no clock.
"""

from __future__ import annotations

from .broker import BrokerSession as BrokerSession
from .client import ClientSession as ClientSession
from .client import ClientSessionWithTokens as ClientSessionWithTokens
from .events import ReceivedRequest as ReceivedRequest
from .events import ReceivedResponse as ReceivedResponse
from .events import SaslToken as SaslToken
from .events import UnreadableFrame as UnreadableFrame
from .framing import Framer as Framer
from .framing import FrameSizeError as FrameSizeError
from .framing import SessionError as SessionError
from .in_flight import InFlightRequest as InFlightRequest
from .in_flight import SentToken as SentToken
from .observer import Observer as Observer
from .sent import SentRequest as SentRequest
