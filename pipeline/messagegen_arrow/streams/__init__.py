"""Messages, logs, captures and internal topics as streams of Arrow record batches."""
