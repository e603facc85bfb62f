package messagegen.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.types.RawTaggedField;

/**
 * Unknown tagged fields, which are passed beside the JSON, because Kafka's JSON form does not contain them. The key of
 * an entry is the path of a struct ("" for the message itself, or "topics[2].partitions[0]"), its value a list of
 * [tag, data in hex].
 */
final class UnknownTags {
    private static final HexFormat HEX = HexFormat.of();
    private static final Pattern PATH_STEP = Pattern.compile("(\\w+)(?:\\[(\\d+)])?\\.?");

    private UnknownTags() {
    }

    static void put(Message message, JsonNode unknown) throws ReflectiveOperationException {
        for (Map.Entry<String, JsonNode> entry : unknown.properties()) {
            Message target = find(message, entry.getKey());
            for (JsonNode tagged : entry.getValue()) {
                target.unknownTaggedFields().add(
                    new RawTaggedField(tagged.get(0).asInt(), HEX.parseHex(tagged.get(1).asText())));
            }
        }
    }

    static ObjectNode collect(Message message) throws ReflectiveOperationException {
        ObjectNode unknown = JsonNodeFactory.instance.objectNode();
        collect(message, "", unknown);
        return unknown;
    }

    private static Message find(Message message, String path) throws ReflectiveOperationException {
        Object target = message;
        Matcher step = PATH_STEP.matcher(path);
        while (step.find()) {
            target = target.getClass().getMethod(step.group(1)).invoke(target);
            if (step.group(2) != null) {
                Iterator<?> elements = ((Collection<?>) target).iterator();
                for (int left = Integer.parseInt(step.group(2)); left > 0; left--) {
                    elements.next();
                }
                target = elements.next();
            }
        }
        return (Message) target;
    }

    private static void collect(Message message, String path, ObjectNode unknown) throws ReflectiveOperationException {
        if (!message.unknownTaggedFields().isEmpty()) {
            ArrayNode list = unknown.putArray(path);
            for (RawTaggedField tagged : message.unknownTaggedFields()) {
                list.addArray().add(tagged.tag()).add(HEX.formatHex(tagged.data()));
            }
        }
        for (Field field : message.getClass().getDeclaredFields()) {
            // Further fields of a generated class are its list of unknown tags and, in a class with map keys, two
            // links.
            if (Modifier.isStatic(field.getModifiers()) || field.getName().startsWith("_")
                    || field.getType() == int.class) {
                continue;
            }
            collectField(message, field, path.isEmpty() ? "" : path + ".", unknown);
        }
    }

    private static void collectField(Message message, Field field, String prefix, ObjectNode unknown)
            throws ReflectiveOperationException {
        Object value = message.getClass().getMethod(field.getName()).invoke(message);
        String path = prefix + field.getName();
        if (value instanceof Message) {
            collect((Message) value, path, unknown);
        } else if (value instanceof Collection) {
            int index = 0;
            for (Object element : (Collection<?>) value) {
                if (element instanceof Message) {
                    collect((Message) element, path + "[" + index + "]", unknown);
                }
                index++;
            }
        }
    }
}
