"""The console kit: what all commands of this repository share.

``text`` and ``times`` are functions of values. ``parameters``, ``running`` and ``progress`` are for commands alone.
Each distribution with commands contains these modules, so that it can be installed alone: in ``client/`` and
``pipeline/``, the folder is a link.
"""
