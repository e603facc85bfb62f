"""Names for what a primitive value identifies (upstream: ``EntityType``); plain aliases, so any value of the type fits.

``ErrorCode`` is not an entity type of Kafka's. It marks the fields that hold an error code: ``ErrorCode(value)`` of a package that
offers error codes gives the name of one.
"""

BrokerId = int
ErrorCode = int
GroupId = str
ProducerId = int
TopicName = str
TransactionalId = str
