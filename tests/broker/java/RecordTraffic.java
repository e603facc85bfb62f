package messagegen.broker;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The actions of plain, idempotent and transactional producers, with records that use every feature. */
final class RecordTraffic {
    /** The time between records, so that searches by time can find them. The last record is from about now. */
    private static final long STEP_MS = 1000;
    private static final int TRANSACTIONS = 6;

    private final Map<String, Object> client;
    private final int records;
    private final long firstTimestamp;
    private volatile Exception failed;

    RecordTraffic(Map<String, Object> client, int records) {
        this.client = client;
        this.records = records;
        this.firstTimestamp = System.currentTimeMillis() - records * STEP_MS;
    }

    void run() throws Exception {
        for (String codec : Traffic.CODECS) {
            compressed(codec);
        }
        appendTime();
        notIdempotent();
        transactions();
        openTransaction();
    }

    private void compressed(String codec) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("compression.type", codec, "linger.ms", 5))) {
            for (int number = 0; number < records; number++) {
                send(producer, record("codec-" + codec, number));
            }
            finish(producer);
        }
    }

    /** Writes records whose time the broker sets, whatever time the producer sends. */
    private void appendTime() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("compression.type", "lz4"))) {
            for (int number = 0; number < records; number++) {
                send(producer, new ProducerRecord<>("audit", 0, text("audit-" + number), value(number)));
            }
            finish(producer);
        }
    }

    /** Writes batches without a producer id, some of them without acknowledgements. */
    private void notIdempotent() throws Exception {
        for (String acks : List.of("1", "0")) {
            try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("enable.idempotence", false, "acks", acks))) {
                for (int number = 0; number < records; number++) {
                    ProducerRecord<byte[], byte[]> record =
                        new ProducerRecord<>("sensors", number % 3, null, value(number));
                    send(producer, record);
                }
                finish(producer);
            }
        }
    }

    /** Writes transactions. Every third one is aborted; the others also commit offsets of a group. */
    private void transactions() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", "ledger-writer"))) {
            producer.initTransactions();
            for (int transaction = 0; transaction < TRANSACTIONS; transaction++) {
                producer.beginTransaction();
                int size = Math.max(1, records / TRANSACTIONS);
                for (int number = 0; number < size; number++) {
                    send(producer, record("ledger", 0, transaction * size + number));
                }
                if (transaction % 3 == 2) {
                    producer.flush();
                    producer.abortTransaction();
                    continue;
                }
                Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(
                    new TopicPartition("codec-none", 0),
                    new OffsetAndMetadata(transaction, "transaction " + transaction));
                producer.sendOffsetsToTransaction(offsets, new ConsumerGroupMetadata("billing"));
                producer.commitTransaction();
            }
            finish(producer);
        }
    }

    /** Ends a producer in the middle of its transaction, which stays open until the broker's timeout. */
    private void openTransaction() throws Exception {
        KafkaProducer<byte[], byte[]> producer =
            producer(Map.of("transactional.id", "ledger-crashed", "transaction.timeout.ms", 900_000));
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(record("ledger", 0, records)).get();
        // Closes immediately, because a regular close would abort the transaction.
        producer.close(Duration.ZERO);
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        failed = null;
        Map<String, Object> properties = new HashMap<>(client);
        properties.put("acks", "all");
        properties.putAll(more);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private void send(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        producer.send(record, (metadata, problem) -> {
            if (problem != null) {
                failed = problem;
            }
        });
    }

    /** Waits for the acknowledgements of all records; a refused record is an error. */
    private void finish(KafkaProducer<byte[], byte[]> producer) throws Exception {
        producer.flush();
        if (failed != null) {
            throw failed;
        }
    }

    private ProducerRecord<byte[], byte[]> record(String topic, int number) {
        return record(topic, number % 2, number);
    }

    /** Every seventh key and every eleventh value is null. Every third record has headers, including a null value. */
    private ProducerRecord<byte[], byte[]> record(String topic, int partition, int number) {
        byte[] key = number % 7 == 6 ? null : text("key-" + number);
        byte[] value = number % 11 == 10 ? null : value(number);
        List<Header> headers = number % 3 != 0 ? List.of() : List.of(
            new RecordHeader("number", ByteBuffer.allocate(Integer.BYTES).putInt(number).array()),
            new RecordHeader("käse", (byte[]) null));
        return new ProducerRecord<>(topic, partition, firstTimestamp + number * STEP_MS, key, value, headers);
    }

    /** About 80 bytes that compress as well as JSON. */
    private static byte[] value(int number) {
        String celsius = ", \"celsius\": " + number % 400 / 10.0;
        return text("{\"number\": " + number + celsius + ", \"note\": \"a measurement as any other, größer\"}");
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
