package messagegen.broker;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** Finds the Java call that a question names, and keeps one admin client for each set of client properties. */
final class Calls implements AutoCloseable {
    static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> PROPERTIES = new TypeReference<>() { };

    private interface AdminCall {
        Object answer(Admin admin, JsonNode question) throws Exception;
    }

    private interface RecordCall {
        Object answer(Map<String, Object> client, JsonNode question) throws Exception;
    }

    private static final Map<String, AdminCall> ADMIN_CALLS = new TreeMap<>(Map.of(
        "alterClientQuotas", QuotaCalls::alter,
        "describeClientQuotas", QuotaCalls::describe,
        "createTopics", TopicCalls::create,
        "listOffsets", OffsetCalls::listOffsets));

    private static final Map<String, RecordCall> RECORD_CALLS = new TreeMap<>(Map.of(
        "offsetsForTimes", OffsetCalls::offsetsForTimes,
        "produce", RecordCalls::produce,
        "consume", RecordCalls::consume));

    private final Map<Map<String, Object>, Admin> admins = new HashMap<>();

    JsonNode call(JsonNode question) throws Exception {
        String name = question.path("call").asText();
        Map<String, Object> client = MAPPER.convertValue(question.get("client"), PROPERTIES);
        if (ADMIN_CALLS.containsKey(name)) {
            Admin admin = admins.computeIfAbsent(client, Admin::create);
            return MAPPER.valueToTree(ADMIN_CALLS.get(name).answer(admin, question));
        }
        if (RECORD_CALLS.containsKey(name)) {
            return MAPPER.valueToTree(RECORD_CALLS.get(name).answer(client, question));
        }
        throw new IllegalArgumentException("no call " + name + ": there are " + ADMIN_CALLS.keySet() + " and " + RECORD_CALLS.keySet());
    }

    /** Puts what went wrong into {@code answer}: the exception's simple class name, as Kafka's docs name errors. */
    static void describe(Throwable problem, ObjectNode answer) {
        Throwable cause = problem instanceof ExecutionException && problem.getCause() != null ? problem.getCause() : problem;
        answer.put("error", cause.getClass().getSimpleName()).put("message", String.valueOf(cause.getMessage()));
    }

    @Override
    public void close() {
        admins.values().forEach(admin -> admin.close(Duration.ZERO));
    }
}
