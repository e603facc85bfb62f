package messagegen.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;

/**
 * Makes a call of the admin client: Calls NAME BOOTSTRAP_SERVERS.
 *
 * <p>The question is on standard input, the answer on standard output, both as JSON.
 */
public final class Calls {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Calls() {}

    public static void main(String[] arguments) throws Exception {
        JsonNode question = MAPPER.readTree(System.in);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", arguments[1]))) {
            Object answer = switch (arguments[0]) {
                case "listOffsets" -> listOffsets(admin, question);
                case "describeClientQuotas" -> describeClientQuotas(admin);
                case "alterClientQuotas" -> alterClientQuotas(admin, question);
                case "changeCluster" -> new ClusterCalls(admin).change(question);
                default -> throw new IllegalArgumentException("unknown call " + arguments[0]);
            };
            System.out.println(MAPPER.writeValueAsString(answer));
        }
    }

    /**
     * Returns offset, timestamp and leader epoch for each of {@code times} (topic, partition, timestamp), in order.
     *
     * <p>Negative timestamps have the same meaning as in ListOffsets: -1 latest, -2 earliest, -3 greatest timestamp, -4
     * earliest local. {@code readCommitted} sets the isolation level.
     */
    private static Object listOffsets(Admin admin, JsonNode question) throws Exception {
        Map<TopicPartition, OffsetSpec> specs = new LinkedHashMap<>();
        for (JsonNode each : question.get("times")) {
            TopicPartition partition = new TopicPartition(each.get("topic").asText(), each.get("partition").asInt());
            specs.put(partition, spec(each.get("timestamp").asLong()));
        }
        boolean committed = question.path("readCommitted").asBoolean();
        IsolationLevel level = committed ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED;
        ListOffsetsOptions options = new ListOffsetsOptions(level);
        ListOffsetsResult result = admin.listOffsets(specs, options);
        List<Object> answers = new ArrayList<>();
        for (TopicPartition partition : specs.keySet()) {
            ListOffsetsResult.ListOffsetsResultInfo info = result.partitionResult(partition).get();
            Map<String, Object> answer = new HashMap<>(Map.of("offset", info.offset(), "timestamp", info.timestamp()));
            answer.put("leaderEpoch", info.leaderEpoch().orElse(null));
            answers.add(answer);
        }
        return answers;
    }

    private static OffsetSpec spec(long timestamp) {
        if (timestamp >= 0) {
            return OffsetSpec.forTimestamp(timestamp);
        }
        List<OffsetSpec> places = List.of(
            OffsetSpec.latest(), OffsetSpec.earliest(), OffsetSpec.maxTimestamp(), OffsetSpec.earliestLocal());
        return places.get((int) (-timestamp - 1));
    }

    /** Returns all entities and their values; a null name is the default entity. */
    static Object describeClientQuotas(Admin admin) throws Exception {
        List<Object> entries = new ArrayList<>();
        admin.describeClientQuotas(ClientQuotaFilter.all()).entities().get().forEach(
            (entity, values) -> entries.add(Map.of("entity", entity.entries(), "values", values)));
        return entries;
    }

    /** Alters quotas; each entry has {@code entity} and {@code ops}. */
    private static Object alterClientQuotas(Admin admin, JsonNode entries) throws Exception {
        List<ClientQuotaAlteration> alterations = new ArrayList<>();
        for (JsonNode entry : entries) {
            Map<String, String> names = new HashMap<>();
            entry.get("entity").fields().forEachRemaining(
                name -> names.put(name.getKey(), name.getValue().isNull() ? null : name.getValue().asText()));
            List<ClientQuotaAlteration.Op> ops = new ArrayList<>();
            entry.get("ops").fields().forEachRemaining(
                op -> ops.add(new ClientQuotaAlteration.Op(op.getKey(), op.getValue().doubleValue())));
            alterations.add(new ClientQuotaAlteration(new ClientQuotaEntity(names), ops));
        }
        admin.alterClientQuotas(alterations).all().get();
        return alterations.size();
    }
}
