package messagegen.broker;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Records through the Java producer and consumer. Byte arrays come back in base64, as Jackson writes them. */
final class RecordCalls {
    private static final TypeReference<Map<String, Object>> PROPERTIES = new TypeReference<>() { };
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int POLLS = 120;

    private RecordCalls() {}

    /**
     * Sends {@code records} (topic, and optionally partition, timestamp, key, value as text) with the {@code producer}'s properties;
     * gives topic, partition, offset and timestamp of each, in order.
     */
    static Object produce(Map<String, Object> client, JsonNode question) throws Exception {
        Map<String, Object> properties = new HashMap<>(client);
        if (question.has("producer")) {
            properties.putAll(Calls.MAPPER.convertValue(question.get("producer"), PROPERTIES));
        }
        List<Object> answers = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            question.get("records").forEach(each -> sent.add(producer.send(record(each))));
            for (Future<RecordMetadata> each : sent) {
                RecordMetadata metadata = each.get();
                answers.add(Map.of("topic", metadata.topic(), "partition", metadata.partition(), "offset", metadata.offset(), "timestamp", metadata.timestamp()));
            }
        }
        return answers;
    }

    /** All records that {@code topics} hold now, by partition and offset; with {@code readCommitted} only those of committed transactions. */
    static Object consume(Map<String, Object> client, JsonNode question) {
        Map<String, Object> properties = new HashMap<>(client);
        properties.put("isolation.level", question.path("readCommitted").asBoolean() ? "read_committed" : "read_uncommitted");
        properties.put("auto.offset.reset", "earliest");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            question.get("topics").forEach(topic -> consumer.partitionsFor(topic.asText()).forEach(
                info -> partitions.add(new TopicPartition(info.topic(), info.partition()))));
            consumer.assign(partitions);
            return read(consumer, partitions);
        }
    }

    private static List<Object> read(KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        Map<TopicPartition, List<Object>> found = new LinkedHashMap<>();
        partitions.forEach(partition -> found.put(partition, new ArrayList<>()));
        for (int polls = 0; ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue()); polls++) {
            if (polls == POLLS) {
                throw new IllegalStateException("the end of " + partitions + " was not reached");
            }
            consumer.poll(POLL).forEach(record -> found.get(new TopicPartition(record.topic(), record.partition())).add(described(record)));
        }
        return found.values().stream().flatMap(List::stream).toList();
    }

    private static ProducerRecord<byte[], byte[]> record(JsonNode each) {
        Integer partition = each.has("partition") ? each.get("partition").asInt() : null;
        Long timestamp = each.has("timestamp") ? each.get("timestamp").asLong() : null;
        return new ProducerRecord<>(each.get("topic").asText(), partition, timestamp, bytes(each.get("key")), bytes(each.get("value")));
    }

    private static byte[] bytes(JsonNode text) {
        return text == null || text.isNull() ? null : text.asText().getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> described(ConsumerRecord<byte[], byte[]> record) {
        List<Map<String, Object>> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            Map<String, Object> pair = new LinkedHashMap<>();
            pair.put("key", header.key());
            pair.put("value", header.value());
            headers.add(pair);
        }
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("topic", record.topic());
        described.put("partition", record.partition());
        described.put("offset", record.offset());
        described.put("timestamp", record.timestamp());
        described.put("timestampType", record.timestampType().name);
        described.put("leaderEpoch", record.leaderEpoch().orElse(null));
        described.put("key", record.key());
        described.put("value", record.value());
        described.put("headers", headers);
        return described;
    }
}
