package messagegen.oracle;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;

/** Kafka's error codes, as its clients know them. */
final class ErrorCodes {
    private ErrorCodes() {
    }

    static ObjectNode answer() {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode errors = answer.putArray("errors");
        for (Errors error : Errors.values()) {
            errors.addObject()
                .put("code", error.code())
                .put("name", error.name())
                .put("retriable", error.exception() instanceof RetriableException)
                .put("message", error.message());
        }
        return answer;
    }
}
