package messagegen.broker;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Topics through the Java admin client. */
final class TopicCalls {
    private static final TypeReference<Map<String, String>> CONFIGS = new TypeReference<>() { };
    private static final long PAUSE_MS = 20;
    private static final int PAUSES = 1500;

    private TopicCalls() {}

    /**
     * {@code topics} of {@code name} with {@code partitions} and {@code configs}. Returns when each partition has a leader.
     */
    static Object create(Admin admin, JsonNode question) throws Exception {
        Map<String, Integer> wanted = new HashMap<>();
        List<NewTopic> topics = new ArrayList<>();
        for (JsonNode topic : question.get("topics")) {
            NewTopic made = newTopic(topic);
            wanted.put(made.name(), made.numPartitions());
            topics.add(made);
        }
        admin.createTopics(topics).all().get();
        awaitLeaders(admin, wanted);
        return topics.size();
    }

    /** Waits until each topic (name and number of partitions) has leaders for all partitions. */
    static void awaitLeaders(Admin admin, Map<String, Integer> wanted) throws Exception {
        int count = wanted.values().stream().mapToInt(Integer::intValue).sum();
        await(admin, wanted.keySet(), partitions -> partitions.size() == count && partitions.stream().allMatch(TopicCalls::hasLeader));
    }

    private static void await(Admin admin, Collection<String> topics, Predicate<List<TopicPartitionInfo>> state) throws Exception {
        for (int pause = 0; pause < PAUSES; pause++) {
            if (state.test(partitions(admin, topics))) {
                return;
            }
            Thread.sleep(PAUSE_MS);
        }
        throw new IllegalStateException("the partitions did not get ready: " + partitions(admin, topics));
    }

    /** The partitions of all topics; none where a topic is not known everywhere yet. */
    private static List<TopicPartitionInfo> partitions(Admin admin, Collection<String> topics) throws Exception {
        try {
            return admin.describeTopics(topics).allTopicNames().get().values().stream()
                .flatMap(topic -> topic.partitions().stream()).toList();
        } catch (ExecutionException problem) {
            if (problem.getCause() instanceof UnknownTopicOrPartitionException) {
                return List.of();
            }
            throw problem;
        }
    }

    private static boolean hasLeader(TopicPartitionInfo partition) {
        return partition.leader() != null && !partition.leader().isEmpty();
    }

    private static NewTopic newTopic(JsonNode topic) {
        Optional<Integer> partitions = Optional.of(topic.path("partitions").asInt(1));
        NewTopic made = new NewTopic(topic.get("name").asText(), partitions, Optional.empty());
        return topic.has("configs") ? made.configs(Calls.MAPPER.convertValue(topic.get("configs"), CONFIGS)) : made;
    }
}
