"""The playground: a page that explains bytes and checks specs in the browser, with the generator in WebAssembly.

``calls.py``, ``pasted.py`` and ``rules.py`` run in the browser, and in tests without one. ``build.py`` makes the page.
"""
