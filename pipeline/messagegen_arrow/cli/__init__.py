"""The command line, ``messagegen-data``. Only modules in this folder print anything."""
