package messagegen.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/** Answers the questions about one message in one version: encode, decode, read, reencode, default, info. */
final class MessageQuestions {
    private static final HexFormat HEX = HexFormat.of();

    private final MessageClasses classes;

    MessageQuestions(MessageClasses classes) {
        this.classes = classes;
    }

    ObjectNode answer(String op, JsonNode question) throws Exception {
        MessageClass messageClass = classes.find(question.path("message").asText());
        if (op.equals("info")) {
            return info(messageClass);
        }
        int version = question.path("version").asInt(-1);
        if (version < 0 || version > Short.MAX_VALUE) {
            throw new IllegalArgumentException("a question needs a version from 0 to " + Short.MAX_VALUE);
        }
        return answer(op, question, messageClass, (short) version);
    }

    private ObjectNode answer(String op, JsonNode question, MessageClass messageClass, short version) throws Exception {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        switch (op) {
            case "encode": {
                short read = (short) question.path("json_version").asInt(version);
                ApiMessage message = messageClass.fromJson(question.path("json"), read);
                UnknownTags.put(message, question.path("unknown"));
                return answer.put("hex", encode(message, version));
            }
            case "decode":
                putJson(answer, messageClass, decode(question, messageClass, version, answer), version);
                return answer;
            case "read":
                decode(question, messageClass, version, answer);
                return answer.put("read", true);
            case "reencode": {
                ApiMessage message = decode(question, messageClass, version, answer);
                putJson(answer, messageClass, message, version);
                return answer.put("hex", encode(message, version));
            }
            case "default": {
                ApiMessage message = messageClass.create();
                answer.put("hex", encode(message, version));
                putJson(answer, messageClass, message, version);
                return answer;
            }
            default:
                throw new IllegalArgumentException("unknown op " + op);
        }
    }

    private static ObjectNode info(MessageClass messageClass) throws ReflectiveOperationException {
        ApiMessage message = messageClass.create();
        return JsonNodeFactory.instance.objectNode()
            .put("class", message.getClass().getName())
            .put("has_json", messageClass.hasJson())
            .put("api_key", message.apiKey())
            .put("lowest", message.lowestSupportedVersion())
            .put("highest", message.highestSupportedVersion());
    }

    private static String encode(ApiMessage message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(buffer), cache, version);
        if (buffer.hasRemaining()) {
            throw new IllegalStateException("size() promised " + buffer.remaining() + " bytes more than were written");
        }
        return HEX.formatHex(buffer.array());
    }

    private static ApiMessage decode(JsonNode question, MessageClass messageClass, short version, ObjectNode answer)
            throws ReflectiveOperationException {
        ByteBuffer buffer = ByteBuffer.wrap(HEX.parseHex(question.path("hex").asText()));
        ApiMessage message = messageClass.create();
        message.read(new ByteBufferAccessor(buffer), version);
        if (buffer.hasRemaining()) {
            answer.put("trailing", buffer.remaining());
        }
        return message;
    }

    private static void putJson(ObjectNode answer, MessageClass messageClass, ApiMessage message, short version)
            throws ReflectiveOperationException {
        if (messageClass.hasJson()) {
            JsonNode json = messageClass.toJson(message, version);
            RecordsFields.fill(message, json);
            answer.set("json", json);
        }
        ObjectNode unknown = UnknownTags.collect(message);
        if (!unknown.isEmpty()) {
            answer.set("unknown", unknown);
        }
    }
}
