"""The console kit, which all commands of this repository share.

``text`` and ``times`` are pure functions. The other modules are only for commands. Each distribution with commands
contains a copy of these modules, so that it can be installed without the others. In ``client/`` and ``pipeline/``, the
folder is a link.
"""
