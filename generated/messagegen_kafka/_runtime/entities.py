"""Names for what a primitive value identifies (upstream: ``EntityType``); plain aliases, so any value of the type fits."""

BrokerId = int
GroupId = str
ProducerId = int
TopicName = str
TransactionalId = str
