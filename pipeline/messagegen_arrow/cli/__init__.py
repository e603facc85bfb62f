"""The command line, ``messagegen-data``. Only the modules in this folder print."""
