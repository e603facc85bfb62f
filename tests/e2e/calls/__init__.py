"""Makes every public call of several clients, through proxies."""
