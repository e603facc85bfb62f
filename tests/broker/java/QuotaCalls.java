package messagegen.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterClientQuotasOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;

/** Client quotas (KIP-546) through the Java admin client. An entity's default is a null name. */
final class QuotaCalls {
    private QuotaCalls() {}

    /** {@code entries} of {@code entity} and {@code ops} (null removes a quota); one answer an entry, null or its error. */
    static Object alter(Admin admin, JsonNode question) throws Exception {
        List<ClientQuotaAlteration> alterations = new ArrayList<>();
        for (JsonNode entry : question.get("entries")) {
            List<ClientQuotaAlteration.Op> ops = new ArrayList<>();
            entry.get("ops").fields().forEachRemaining(
                op -> ops.add(new ClientQuotaAlteration.Op(op.getKey(), op.getValue().isNull() ? null : op.getValue().doubleValue())));
            alterations.add(new ClientQuotaAlteration(entity(entry.get("entity")), ops));
        }
        AlterClientQuotasOptions options = new AlterClientQuotasOptions().validateOnly(question.path("validateOnly").asBoolean());
        Map<ClientQuotaEntity, KafkaFuture<Void>> futures = admin.alterClientQuotas(alterations, options).values();
        List<ObjectNode> results = new ArrayList<>();
        for (ClientQuotaAlteration alteration : alterations) {
            results.add(outcome(futures.get(alteration.entity())));
        }
        return results;
    }

    /** {@code components} of {@code type} and {@code match} (a name, null for the default, absent for any); {@code strict}. */
    static Object describe(Admin admin, JsonNode question) throws Exception {
        List<ClientQuotaFilterComponent> components = new ArrayList<>();
        for (JsonNode component : question.path("components")) {
            components.add(component(component.get("type").asText(), component.get("match")));
        }
        ClientQuotaFilter filter =
            question.path("strict").asBoolean() ? ClientQuotaFilter.containsOnly(components) : ClientQuotaFilter.contains(components);
        List<Map<String, Object>> entries = new ArrayList<>();
        admin.describeClientQuotas(filter).entities().get().forEach(
            (entity, values) -> entries.add(Map.of("entity", entity.entries(), "values", values)));
        return entries;
    }

    private static ClientQuotaFilterComponent component(String type, JsonNode match) {
        if (match == null) {
            return ClientQuotaFilterComponent.ofEntityType(type);
        }
        return match.isNull()
            ? ClientQuotaFilterComponent.ofDefaultEntity(type)
            : ClientQuotaFilterComponent.ofEntity(type, match.asText());
    }

    private static ClientQuotaEntity entity(JsonNode names) {
        Map<String, String> entries = new HashMap<>();
        names.fields().forEachRemaining(name -> entries.put(name.getKey(), name.getValue().isNull() ? null : name.getValue().asText()));
        return new ClientQuotaEntity(entries);
    }

    private static ObjectNode outcome(KafkaFuture<Void> future) throws InterruptedException {
        try {
            future.get();
            return null;
        } catch (ExecutionException problem) {
            ObjectNode error = Calls.MAPPER.createObjectNode();
            Calls.describe(problem, error);
            return error;
        }
    }
}
