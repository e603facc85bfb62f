import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.message.ApiMessageType;

/**
 * Answers questions about header versions and record batches, one JSON line each. The classes of records are called by
 * reflection, because their package differs between releases.
 */
public final class KitFacts {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String[] PACKAGES = {"internal.", ""};

    private KitFacts() {
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            ObjectNode answer = JSON.createObjectNode();
            try {
                answer(JSON.readTree(line), answer);
            } catch (Exception | LinkageError problem) {
                Throwable cause = problem instanceof InvocationTargetException ? problem.getCause() : problem;
                answer.removeAll();
                answer.put("error", cause.getClass().getName() + ": " + cause.getMessage());
            }
            System.out.println(JSON.writeValueAsString(answer));
        }
    }

    private static void answer(JsonNode question, ObjectNode answer) throws Exception {
        if (question.has("hex")) {
            putBatches(HexFormat.of().parseHex(question.get("hex").asText()), answer.putArray("batches"));
            return;
        }
        ApiMessageType type = ApiMessageType.fromApiKey((short) question.get("api_key").asInt());
        short version = (short) question.get("version").asInt();
        answer.put("header_version", question.get("kind").asText().equals("request")
            ? type.requestHeaderVersion(version)
            : type.responseHeaderVersion(version));
    }

    private static void putBatches(byte[] bytes, ArrayNode batches) throws Exception {
        Object records = find("MemoryRecords").getMethod("readableRecords", ByteBuffer.class)
            .invoke(null, ByteBuffer.wrap(bytes));
        int read = 0;
        for (Object batch : (Iterable<?>) find("AbstractRecords").getMethod("batches").invoke(records)) {
            read += (int) of(batch, "sizeInBytes");
            of(batch, "ensureValid");
            ObjectNode node = batches.addObject();
            for (String name : new String[] {"baseOffset", "lastOffset", "producerId"}) {
                node.put(name, (long) of(batch, name));
            }
            node.put("magic", (byte) of(batch, "magic"));
            node.put("codec", of(batch, "compressionType").toString());
            node.put("timestampType", of(batch, "timestampType").toString());
            node.put("partitionLeaderEpoch", (int) of(batch, "partitionLeaderEpoch"));
            node.put("producerEpoch", (short) of(batch, "producerEpoch"));
            node.put("baseSequence", (int) of(batch, "baseSequence"));
            node.put("isTransactional", (boolean) of(batch, "isTransactional"));
            node.put("isControlBatch", (boolean) of(batch, "isControlBatch"));
            putRecords((Iterable<?>) batch, node.putArray("records"));
        }
        if (read != bytes.length) {
            throw new IllegalStateException("read " + read + " of " + bytes.length + " bytes");
        }
    }

    private static void putRecords(Iterable<?> batch, ArrayNode records) throws Exception {
        for (Object record : batch) {
            Method valid = find("Record").getMethod("ensureValid");
            valid.invoke(record);
            ObjectNode node = records.addObject();
            node.put("offset", (long) ofRecord(record, "offset"));
            node.put("timestamp", (long) ofRecord(record, "timestamp"));
            node.put("key", bytes((ByteBuffer) ofRecord(record, "key")));
            node.put("value", bytes((ByteBuffer) ofRecord(record, "value")));
            ArrayNode headers = node.putArray("headers");
            for (Header header : (Header[]) ofRecord(record, "headers")) {
                headers.addObject().put("key", header.key()).put("value", header.value());
            }
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private static Object of(Object batch, String method) throws Exception {
        return find("RecordBatch").getMethod(method).invoke(batch);
    }

    private static Object ofRecord(Object record, String method) throws Exception {
        return find("Record").getMethod(method).invoke(record);
    }

    private static Class<?> find(String name) throws ClassNotFoundException {
        for (String part : PACKAGES) {
            try {
                return Class.forName("org.apache.kafka.common.record." + part + name);
            } catch (ClassNotFoundException problem) {
                continue;
            }
        }
        throw new ClassNotFoundException(name);
    }
}
