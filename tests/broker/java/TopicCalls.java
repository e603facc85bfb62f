package messagegen.broker;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Topics through the Java admin client. */
final class TopicCalls {
    private static final TypeReference<Map<String, String>> CONFIGS = new TypeReference<>() { };
    private static final TypeReference<Map<Integer, List<Integer>>> ASSIGNMENTS = new TypeReference<>() { };
    private static final long PAUSE_MS = 20;
    private static final int PAUSES = 1500;

    private TopicCalls() {}

    /**
     * {@code topics} of {@code name} with {@code partitions} (and {@code replicas}, else the broker's default) or {@code assignments},
     * and {@code configs}. Returns when each partition has a leader.
     */
    static Object create(Admin admin, JsonNode question) throws Exception {
        Map<String, Integer> wanted = new HashMap<>();
        List<NewTopic> topics = new ArrayList<>();
        for (JsonNode topic : question.get("topics")) {
            NewTopic made = newTopic(topic);
            wanted.put(made.name(), made.replicasAssignments() == null ? made.numPartitions() : made.replicasAssignments().size());
            topics.add(made);
        }
        admin.createTopics(topics).all().get();
        awaitLeaders(admin, wanted);
        return topics.size();
    }

    /** For each of {@code topics}: its id, and partition, leader, replicas and in-sync replicas of each partition. */
    static Object describe(Admin admin, JsonNode question) throws Exception {
        Map<String, Object> described = new HashMap<>();
        admin.describeTopics(names(question)).allTopicNames().get().forEach((name, topic) ->
            described.put(name, Map.of("id", topic.topicId().toString(), "partitions", topic.partitions().stream().map(TopicCalls::partition).toList())));
        return described;
    }

    /** Makes the preferred replicas of {@code partitions} leaders; for each that was not leader before: null, or the error's class. */
    static Object electLeaders(Admin admin, JsonNode question) throws Exception {
        Set<TopicPartition> partitions = new HashSet<>();
        for (JsonNode each : question.get("partitions")) {
            partitions.add(new TopicPartition(each.get("topic").asText(), each.get("partition").asInt()));
        }
        Map<String, String> outcomes = new HashMap<>();
        admin.electLeaders(ElectionType.PREFERRED, partitions).partitions().get().forEach(
            (partition, problem) -> outcomes.put(partition.toString(), problem.map(each -> each.getClass().getSimpleName()).orElse(null)));
        return outcomes;
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
        String name = topic.get("name").asText();
        NewTopic made;
        if (topic.has("assignments")) {
            made = new NewTopic(name, Calls.MAPPER.convertValue(topic.get("assignments"), ASSIGNMENTS));
        } else {
            Optional<Short> replicas = topic.has("replicas") ? Optional.of((short) topic.get("replicas").asInt()) : Optional.empty();
            made = new NewTopic(name, Optional.of(topic.path("partitions").asInt(1)), replicas);
        }
        return topic.has("configs") ? made.configs(Calls.MAPPER.convertValue(topic.get("configs"), CONFIGS)) : made;
    }

    private static Map<String, Object> partition(TopicPartitionInfo partition) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("partition", partition.partition());
        described.put("leader", hasLeader(partition) ? partition.leader().id() : null);
        described.put("replicas", partition.replicas().stream().map(Node::id).toList());
        described.put("isr", partition.isr().stream().map(Node::id).toList());
        return described;
    }

    private static List<String> names(JsonNode question) {
        List<String> names = new ArrayList<>();
        question.get("topics").forEach(name -> names.add(name.asText()));
        return names;
    }
}
