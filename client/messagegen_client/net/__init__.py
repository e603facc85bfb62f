"""The network: addresses, sockets, connections, and a cluster of brokers behind them."""
