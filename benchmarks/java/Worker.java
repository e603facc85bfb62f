package messagegen.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.DescribeClientQuotasResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.Readable;

/** Measures Apache's own message classes, with the commands that benchmarks/worker.py describes. */
public final class Worker {
    private interface Reader {
        Message read(Readable readable, short version);
    }

    private static final Map<String, Reader> READERS = Map.of(
        "ApiVersionsResponse", ApiVersionsResponseData::new,
        "DescribeClientQuotasResponse", DescribeClientQuotasResponseData::new,
        "FetchRequest", FetchRequestData::new,
        "FetchResponse", FetchResponseData::new,
        "MetadataResponse", MetadataResponseData::new,
        "OffsetCommitRequest", OffsetCommitRequestData::new,
        "ProduceRequest", ProduceRequestData::new);

    private static final long BATCH_NANOS = 10_000_000;

    /** Receives results, so that the compiler cannot remove the work. */
    private static volatile Object sink;

    private final Map<String, Map<String, Supplier<Object>>> prepared = new HashMap<>();

    public static void main(String[] arguments) throws IOException {
        Worker worker = new Worker();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(worker.answer(line.split(" ", 5)));
            System.out.flush();
        }
    }

    private String answer(String[] words) throws IOException {
        return switch (words[0]) {
            case "open" -> open(words[1], words[2], Short.parseShort(words[3]), Path.of(words[4]));
            case "warm" -> warm(prepared.get(words[1]).get(words[2]), Long.parseLong(words[3]));
            case "time" -> Long.toString(time(prepared.get(words[1]).get(words[2]), Long.parseLong(words[3])));
            default -> throw new IllegalArgumentException("not a command: " + String.join(" ", words));
        };
    }

    private String open(String name, String message, short version, Path file) throws IOException {
        byte[] data = Files.readAllBytes(file);
        Reader reader = READERS.get(message);
        if (reader == null) {
            return "no class for " + message;
        }
        Message value = reader.read(new ByteBufferAccessor(ByteBuffer.wrap(data)), version);
        if (!Arrays.equals(encode(value, version), data)) {
            throw new IllegalStateException(name + ": the encoded bytes differ from " + file);
        }
        Map<String, Supplier<Object>> calls = new HashMap<>();
        calls.put("encode", () -> encode(value, version));
        calls.put("decode", () -> reader.read(new ByteBufferAccessor(ByteBuffer.wrap(data)), version));
        prepared.put(name, calls);
        return "ok " + String.join(" ", calls.keySet());
    }

    private static byte[] encode(Message message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        byte[] data = new byte[message.size(cache, version)];
        message.write(new ByteBufferAccessor(ByteBuffer.wrap(data)), cache, version);
        return data;
    }

    private static long time(Supplier<Object> call, long calls) {
        long start = System.nanoTime();
        for (long i = 0; i < calls; i++) {
            sink = call.get();
        }
        return System.nanoTime() - start;
    }

    private static String warm(Supplier<Object> call, long milliseconds) {
        long deadline = System.nanoTime() + milliseconds * 1_000_000;
        long calls = 1;
        while (true) {
            long nanos = time(call, calls);
            if (System.nanoTime() >= deadline) {
                return calls + " " + nanos;
            }
            if (nanos < BATCH_NANOS) {
                calls *= 2;
            }
        }
    }
}
