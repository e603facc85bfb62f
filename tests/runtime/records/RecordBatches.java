import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
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

/**
 * Kafka's own hand at record batches: {@code write FILE} makes a log, {@code read FILE} prints one JSON line a record.
 * {@code write-formats FILE} makes batches of each magic, {@code batches FILE} prints one JSON line a batch with its records.
 */
public final class RecordBatches {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BATCHES = 60;

    private RecordBatches() {
    }

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[1]);
        if (arguments[0].equals("write")) {
            try (OutputStream out = Files.newOutputStream(file)) {
                write(out);
            }
            return;
        }
        if (arguments[0].equals("write-formats")) {
            try (OutputStream out = Files.newOutputStream(file)) {
                writeFormats(out);
            }
            return;
        }
        if (arguments[0].equals("batches")) {
            printBatches(file);
            return;
        }
        StringBuilder lines = new StringBuilder();
        int position = 0;
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(ByteBuffer.wrap(Files.readAllBytes(file))).batches()) {
            batch.ensureValid();
            for (Record record : batch) {
                lines.append(row(batch, record, position)).append('\n');
            }
            position += batch.sizeInBytes();
        }
        System.out.print(lines);
    }

    private static void printBatches(Path file) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(ByteBuffer.wrap(Files.readAllBytes(file))).batches()) {
            batch.ensureValid();
            ObjectNode row = JSON.createObjectNode();
            row.put("base_offset", batch.baseOffset()).put("magic", batch.magic()).put("compression", batch.compressionType().name);
            row.put("timestamp_type", batch.timestampType().name).put("is_transactional", batch.isTransactional());
            row.put("is_control", batch.isControlBatch()).put("partition_leader_epoch", batch.partitionLeaderEpoch());
            row.put("producer_id", batch.producerId()).put("producer_epoch", batch.producerEpoch());
            row.put("base_sequence", batch.baseSequence()).put("last_offset", batch.lastOffset());
            row.put("max_timestamp", batch.maxTimestamp()).put("size", batch.sizeInBytes());
            row.put("delete_horizon", batch.deleteHorizonMs().isPresent() ? batch.deleteHorizonMs().getAsLong() : null);
            ArrayNode records = row.putArray("records");
            for (Record record : batch) {
                record.ensureValid();
                records.add(row(batch, record, 0));
            }
            lines.append(row).append('\n');
        }
        System.out.print(lines);
    }

    private static void writeFormats(OutputStream out) throws IOException {
        Random random = new Random(8);
        for (int codec = 0; codec < 5; codec++) {
            put(out, formatted(codec, TimestampType.CREATE_TIME, RecordBatch.NO_TIMESTAMP, random));
            put(out, formatted(codec, TimestampType.LOG_APPEND_TIME, RecordBatch.NO_TIMESTAMP, random));
        }
        put(out, formatted(0, TimestampType.CREATE_TIME, 1_700_000_500_000L, random));
        put(out, marker(77, random));
        LeaderChangeMessage change = new LeaderChangeMessage().setVersion((short) 0).setLeaderId(4)
            .setVoters(java.util.List.of(new LeaderChangeMessage.Voter().setVoterId(4)));
        put(out, MemoryRecords.withLeaderChangeMessage(78, 1_700_000_000_000L, 3, ByteBuffer.allocate(256), change).buffer());
    }

    private static void put(OutputStream out, ByteBuffer buffer) throws IOException {
        out.write(buffer.array(), buffer.arrayOffset(), buffer.limit());
    }

    private static ByteBuffer formatted(int codec, TimestampType type, long horizon, Random random) {
        MemoryRecordsBuilder builder = new MemoryRecordsBuilder(new ByteBufferOutputStream(1 << 16), (byte) 2,
            Compression.of(CompressionType.forId(codec)).build(), type, 50, 1_700_000_123_456L, -1, (short) -1, -1, false, false,
            5, 1 << 16, horizon);
        for (int index = 0; index < 5; index++) {
            long time = 1_700_000_000_000L + random.nextInt(1 << 20);
            builder.append(time, bytes(random, 12), bytes(random, 400), headers(random));
        }
        return builder.build().buffer();
    }

    private static void write(OutputStream out) throws IOException {
        Random random = new Random(7);
        long offset = 0;
        for (int number = 0; number < BATCHES; number++) {
            ByteBuffer buffer = number % 10 == 9 ? marker(offset, random) : batch(offset, number, random);
            for (MutableRecordBatch batch : MemoryRecords.readableRecords(buffer).batches()) {
                batch.setPartitionLeaderEpoch(random.nextInt(9));
                offset = batch.nextOffset() + random.nextInt(3);
            }
            out.write(buffer.array(), buffer.arrayOffset(), buffer.limit());
        }
    }

    private static ByteBuffer marker(long offset, Random random) {
        ControlRecordType type = random.nextBoolean() ? ControlRecordType.COMMIT : ControlRecordType.ABORT;
        return MemoryRecords.withEndTransactionMarker(offset, 1_700_000_000_000L, 0, 5, (short) 1, new EndTransactionMarker(type, 3)).buffer();
    }

    private static ByteBuffer batch(long offset, int number, Random random) {
        Compression compression = Compression.of(CompressionType.forId(number % 5)).build();
        boolean appended = number % 7 == 3;
        boolean produced = number % 3 == 1;
        MemoryRecordsBuilder builder = MemoryRecords.builder(ByteBuffer.allocate(1 << 20), RecordBatch.MAGIC_VALUE_V2, compression,
            appended ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME, offset, 1_700_000_123_456L,
            produced ? 1L << 40 : -1, (short) (produced ? 4 : -1), produced ? Integer.MAX_VALUE - 3 : -1, produced, 0);
        int records = 1 + random.nextInt(number % 4 == 0 ? 900 : 9);
        for (int index = 0; index < records; index++) {
            builder.append(1_700_000_000_000L + random.nextInt(1 << 30) - (1 << 29), bytes(random, 12), bytes(random, 400), headers(random));
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
        java.util.Arrays.fill(bytes, bytes.length / 2, bytes.length, (byte) 'x');
        return bytes;
    }

    private static Header[] headers(Random random) {
        Header[] headers = new Header[random.nextInt(8) == 0 ? 1 + random.nextInt(3) : 0];
        for (int index = 0; index < headers.length; index++) {
            headers[index] = new RecordHeader("k\u00e9y" + index, bytes(random, 9));
        }
        return headers;
    }

    private static ObjectNode row(RecordBatch batch, Record record, int position) {
        ObjectNode row = JSON.createObjectNode();
        row.put("offset", record.offset()).put("timestamp", record.timestamp()).put("timestamp_type", batch.timestampType().id);
        row.put("key", record.hasKey() ? hex(record.key()) : null).put("value", record.hasValue() ? hex(record.value()) : null);
        ArrayNode headers = row.putArray("headers");
        for (Header header : record.headers()) {
            String value = header.value() == null ? null : HexFormat.of().formatHex(header.value());
            headers.addObject().put("key", HexFormat.of().formatHex(header.key().getBytes(StandardCharsets.UTF_8))).put("value", value);
        }
        row.put("leader_epoch", batch.partitionLeaderEpoch()).put("producer_id", batch.producerId());
        row.put("producer_epoch", batch.producerEpoch()).put("sequence", record.sequence());
        row.put("is_transactional", batch.isTransactional()).put("is_control", batch.isControlBatch());
        row.put("codec", batch.compressionType().name).put("batch_offset", batch.baseOffset());
        return row.put("batch_position", position).put("batch_length", batch.sizeInBytes());
    }

    private static String hex(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
