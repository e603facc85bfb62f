import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/** Kafka's record batches: {@code write FILE} makes a log, {@code read FILE} prints a line of JSON for each batch. */
public final class RecordBatches {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long TIME = 1_700_000_000_000L;

    private RecordBatches() {
    }

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[1]);
        if (arguments[0].equals("write")) {
            try (OutputStream out = Files.newOutputStream(file)) {
                write(out);
            }
        } else {
            System.out.print(read(ByteBuffer.wrap(Files.readAllBytes(file))));
        }
    }

    private static StringBuilder read(ByteBuffer data) {
        StringBuilder lines = new StringBuilder();
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(data).batches()) {
            batch.ensureValid();
            ObjectNode row = JSON.createObjectNode();
            row.put("base_offset", batch.baseOffset()).put("magic", batch.magic());
            row.put("compression", batch.compressionType().name);
            row.put("timestamp_type", batch.timestampType().name).put("is_transactional", batch.isTransactional());
            row.put("is_control", batch.isControlBatch()).put("partition_leader_epoch", batch.partitionLeaderEpoch());
            row.put("producer_id", batch.producerId()).put("producer_epoch", batch.producerEpoch());
            row.put("base_sequence", batch.baseSequence()).put("last_offset", batch.lastOffset());
            row.put("max_timestamp", batch.maxTimestamp()).put("size", batch.sizeInBytes());
            row.put("delete_horizon", batch.deleteHorizonMs().isPresent() ? batch.deleteHorizonMs().getAsLong() : null);
            ArrayNode records = row.putArray("records");
            for (Record record : batch) {
                record.ensureValid();
                records.add(row(record));
            }
            lines.append(row).append('\n');
        }
        return lines;
    }

    private static ObjectNode row(Record record) {
        ObjectNode row = JSON.createObjectNode().put("offset", record.offset()).put("timestamp", record.timestamp());
        row.put("key", record.hasKey() ? hex(record.key()) : null);
        row.put("value", record.hasValue() ? hex(record.value()) : null);
        ArrayNode headers = row.putArray("headers");
        for (Header header : record.headers()) {
            String value = header.value() == null ? null : hex(ByteBuffer.wrap(header.value()));
            headers.addObject().put("key", hex(StandardCharsets.UTF_8.encode(header.key()))).put("value", value);
        }
        return row;
    }

    private static String hex(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static void write(OutputStream out) throws IOException {
        Random random = new Random(8);
        for (CompressionType codec : CompressionType.values()) {
            put(out, batch(codec, TimestampType.CREATE_TIME, RecordBatch.NO_TIMESTAMP, random));
            put(out, batch(codec, TimestampType.LOG_APPEND_TIME, RecordBatch.NO_TIMESTAMP, random));
        }
        put(out, batch(CompressionType.NONE, TimestampType.CREATE_TIME, TIME + 500_000, random));
        EndTransactionMarker marker = new EndTransactionMarker(ControlRecordType.ABORT, 3);
        put(out, MemoryRecords.withEndTransactionMarker(77, TIME, 0, 5, (short) 1, marker).buffer());
        LeaderChangeMessage change = new LeaderChangeMessage().setVersion((short) 0).setLeaderId(4)
            .setVoters(List.of(new LeaderChangeMessage.Voter().setVoterId(4)));
        put(out, MemoryRecords.withLeaderChangeMessage(78, TIME, 3, ByteBuffer.allocate(256), change).buffer());
    }

    private static void put(OutputStream out, ByteBuffer buffer) throws IOException {
        out.write(buffer.array(), buffer.arrayOffset(), buffer.limit());
    }

    private static ByteBuffer batch(CompressionType codec, TimestampType type, long horizon, Random random) {
        long logAppendTime = TIME + 123_456;
        MemoryRecordsBuilder builder = new MemoryRecordsBuilder(
            new ByteBufferOutputStream(1 << 16), (byte) 2, Compression.of(codec).build(), type, 50, logAppendTime,
            -1, (short) -1, -1, false, false, 5, 1 << 16, horizon);
        for (int index = 0; index < 5; index++) {
            Header[] headers = {new RecordHeader("k\u00e9y", bytes(random, 9)), new RecordHeader("", null)};
            builder.append(TIME + random.nextInt(1 << 20), bytes(random, 12), bytes(random, 400), headers);
        }
        return builder.build().buffer();
    }

    private static byte[] bytes(Random random, int most) {
        if (random.nextInt(6) == 0) {
            return null;
        }
        byte[] bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        // Half of each value compresses well.
        Arrays.fill(bytes, bytes.length / 2, bytes.length, (byte) 'x');
        return bytes;
    }
}
