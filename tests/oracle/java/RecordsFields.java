package messagegen.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.protocol.Message;

/**
 * Puts the bytes of records fields into JSON: Apache's converter reads base64, but always writes an empty string.
 * The class of records is found by its simple name, because its package differs in releases before 4.3.
 */
final class RecordsFields {
    private static final String RECORDS = "MemoryRecords";

    private RecordsFields() {
    }

    static void fill(Message message, JsonNode json) throws ReflectiveOperationException {
        ObjectNode object = (ObjectNode) json;
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            Object value = message.getClass().getMethod(name).invoke(message);
            if (value != null && value.getClass().getSimpleName().equals(RECORDS)) {
                object.set(name, new BinaryNode(bytes(value)));
            } else if (value instanceof Message) {
                fill((Message) value, object.get(name));
            } else if (value instanceof Collection) {
                fillElements((Collection<?>) value, object.get(name));
            }
        }
    }

    private static void fillElements(Collection<?> elements, JsonNode array) throws ReflectiveOperationException {
        int index = 0;
        for (Object element : elements) {
            if (!(element instanceof Message)) {
                return;
            }
            fill((Message) element, array.get(index++));
        }
    }

    private static byte[] bytes(Object records) throws ReflectiveOperationException {
        ByteBuffer buffer = (ByteBuffer) records.getClass().getMethod("buffer").invoke(records);
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
