"""Examples: adapters that let another library's code use generated classes. tests/adapters runs them."""
