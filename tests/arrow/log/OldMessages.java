import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/** Prints segments with messages of magic 0 and 1 as JSON lines, with the bytes and the rows of Kafka's own reader. */
public final class OldMessages {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long TIME = 1_500_000_000_000L;
    private static final int BATCHES = 3;
    private static final int RECORDS = 4;

    private OldMessages() {
    }

    public static void main(String[] arguments) throws Exception {
        for (byte magic = 0; magic <= 1; magic++) {
            for (int codec = 0; codec <= 3; codec++) {
                print(magic, codec, magic == 0 ? TimestampType.NO_TIMESTAMP_TYPE : TimestampType.CREATE_TIME);
                if (magic == 1) {
                    print(magic, codec, TimestampType.LOG_APPEND_TIME);
                }
            }
        }
    }

    private static void print(byte magic, int codec, TimestampType type) throws Exception {
        ByteBuffer segment = ByteBuffer.allocate(1 << 16);
        for (int number = 0; number < BATCHES; number++) {
            // Leave a gap, like compaction.
            segment.put(batch(magic, codec, type, 100 + (RECORDS + 1L) * number));
        }
        segment.flip();
        byte[] bytes = new byte[segment.remaining()];
        segment.duplicate().get(bytes);
        ObjectNode line = JSON.createObjectNode();
        line.put("magic", magic).put("codec", CompressionType.forId(codec).name).put("timestampType", type.id);
        line.put("hex", HexFormat.of().formatHex(bytes));
        ArrayNode rows = line.putArray("rows");
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(segment).batches()) {
            batch.ensureValid();
            for (Record record : batch) {
                record.ensureValid();
                ArrayNode row = rows.addArray().add(record.offset()).add(record.timestamp());
                row.add(text(record.key())).add(text(record.value())).add(batch.baseOffset());
            }
        }
        System.out.println(JSON.writeValueAsString(line));
    }

    private static ByteBuffer batch(byte magic, int codec, TimestampType type, long baseOffset) {
        MemoryRecordsBuilder builder = new MemoryRecordsBuilder(
            new ByteBufferOutputStream(1 << 12),
            magic,
            Compression.of(CompressionType.forId(codec)).build(),
            type,
            baseOffset,
            TIME + 999,
            RecordBatch.NO_PRODUCER_ID,
            RecordBatch.NO_PRODUCER_EPOCH,
            RecordBatch.NO_SEQUENCE,
            false,
            false,
            RecordBatch.NO_PARTITION_LEADER_EPOCH,
            1 << 12);
        for (int index = 0; index < RECORDS; index++) {
            long time = magic == 0 ? RecordBatch.NO_TIMESTAMP : TIME + baseOffset * 1000 - index;
            byte[] key = index == 1 ? null : ("key " + index).getBytes(StandardCharsets.UTF_8);
            byte[] value = index == 2 ? null : "value ".repeat(20 * index).getBytes(StandardCharsets.UTF_8);
            builder.append(time, key, value);
        }
        return builder.build().buffer();
    }

    private static String text(ByteBuffer bytes) {
        return bytes == null ? null : StandardCharsets.UTF_8.decode(bytes).toString();
    }
}
