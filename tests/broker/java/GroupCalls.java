package messagegen.broker;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Members of groups, which stay until they are told to leave. */
final class GroupCalls {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int POLLS = 300;
    private static final Map<String, KafkaConsumer<byte[], byte[]>> MEMBERS = new HashMap<>();

    private GroupCalls() {}

    /**
     * Joins {@code group} as {@code clientId} with {@code protocol} (classic or consumer) and {@code topics}; with {@code records} it
     * reads so many and commits. Gives the topics and partitions that it was assigned.
     */
    static Object join(Map<String, Object> client, JsonNode question) {
        int wanted = question.path("records").asInt();
        Map<String, Object> properties = new HashMap<>(client);
        properties.put("group.id", question.get("group").asText());
        properties.put("client.id", question.get("clientId").asText());
        properties.put("group.protocol", question.get("protocol").asText());
        properties.put("auto.offset.reset", "earliest");
        properties.put("enable.auto.commit", "false");
        properties.put("max.poll.records", Math.max(wanted, 1));
        List<String> topics = new ArrayList<>();
        question.get("topics").forEach(topic -> topics.add(topic.asText()));
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        MEMBERS.put(question.get("clientId").asText(), consumer);
        consumer.subscribe(topics);
        int count = 0;
        for (int polls = 0; count < wanted || consumer.assignment().isEmpty(); polls++) {
            if (polls == POLLS) {
                throw new IllegalStateException("too few records of " + topics + " arrived");
            }
            count += consumer.poll(POLL).count();
        }
        if (wanted > 0) {
            consumer.commitSync();
        }
        return consumer.assignment().stream().map(TopicPartition::toString).sorted().toList();
    }

    /** The member {@code clientId} leaves its group. */
    static Object leave(Map<String, Object> client, JsonNode question) {
        MEMBERS.remove(question.get("clientId").asText()).close();
        return true;
    }
}
