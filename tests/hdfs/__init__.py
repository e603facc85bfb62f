"""A real HDFS on loopback: two name nodes and a data node in one process."""
