package messagegen.broker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Offsets by time (KIP-79) through the Java consumer and admin client. */
final class OffsetCalls {
    private OffsetCalls() {}

    /** For each of {@code times} (topic, partition, timestamp), in order: offset, timestamp and leader epoch, or null. */
    static Object offsetsForTimes(Map<String, Object> client, JsonNode question) {
        Map<TopicPartition, Long> times = new LinkedHashMap<>();
        question.get("times").forEach(each -> times.put(partition(each), each.get("timestamp").asLong()));
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(times);
            List<Object> answers = new ArrayList<>();
            times.keySet().forEach(partition -> answers.add(described(found.get(partition))));
            return answers;
        }
    }

    /**
     * For each of {@code times}, in order: offset, timestamp and leader epoch. Timestamps below zero are those of ListOffsets: -1
     * latest, -2 earliest, -3 greatest timestamp, -4 earliest local, -5 latest tiered. {@code readCommitted} sets the isolation level.
     */
    static Object listOffsets(Admin admin, JsonNode question) throws Exception {
        Map<TopicPartition, OffsetSpec> specs = new LinkedHashMap<>();
        question.get("times").forEach(each -> specs.put(partition(each), spec(each.get("timestamp").asLong())));
        boolean committed = question.path("readCommitted").asBoolean();
        ListOffsetsOptions options = new ListOffsetsOptions(committed ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED);
        ListOffsetsResult result = admin.listOffsets(specs, options);
        List<Object> answers = new ArrayList<>();
        for (TopicPartition partition : specs.keySet()) {
            ListOffsetsResult.ListOffsetsResultInfo info = result.partitionResult(partition).get();
            answers.add(described(info.offset(), info.timestamp(), info.leaderEpoch().orElse(null)));
        }
        return answers;
    }

    private static TopicPartition partition(JsonNode each) {
        return new TopicPartition(each.get("topic").asText(), each.get("partition").asInt());
    }

    private static OffsetSpec spec(long timestamp) {
        if (timestamp >= 0) {
            return OffsetSpec.forTimestamp(timestamp);
        }
        return switch ((int) timestamp) {
            case -1 -> OffsetSpec.latest();
            case -2 -> OffsetSpec.earliest();
            case -3 -> OffsetSpec.maxTimestamp();
            case -4 -> OffsetSpec.earliestLocal();
            case -5 -> OffsetSpec.latestTiered();
            default -> throw new IllegalArgumentException("no offset is meant by timestamp " + timestamp);
        };
    }

    private static Map<String, Object> described(OffsetAndTimestamp found) {
        return found == null ? null : described(found.offset(), found.timestamp(), found.leaderEpoch().orElse(null));
    }

    private static Map<String, Object> described(long offset, long timestamp, Integer leaderEpoch) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("offset", offset);
        described.put("timestamp", timestamp);
        described.put("leaderEpoch", leaderEpoch);
        return described;
    }
}
