"""Transactions of a log (KIP-98): which records ``read_committed`` gives.

A record of a transaction is decided by the next end marker of its producer. Tasks look for it: in their own range, and after it
for transactions that reach further. The driver only finds the last stable offset, with the snapshots of the producers' states
that brokers write beside the segments. ``docs/design/011-read-committed.md`` says why.
"""
