"""Aliases that say what a primitive value identifies (upstream: ``EntityType``); any value of the type is accepted.

``ErrorCode`` is not one of Kafka's entity types. It marks fields that contain an error code: in a package with error codes,
``ErrorCode(value)`` returns its name.
"""

BrokerId = int
ErrorCode = int
GroupId = str
ProducerId = int
TopicName = str
TransactionalId = str
