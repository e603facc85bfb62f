"""Every public call of several clients, through proxies."""
