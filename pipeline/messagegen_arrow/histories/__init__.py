"""What happened, from Kafka's internal topics: commits of groups, changes of metadata, transactions.

Each history is a chain of functions over batches. On one machine they run one after the other; Spark runs the same
functions in its workers, and moves the rows that belong together to the same worker in between.
"""
