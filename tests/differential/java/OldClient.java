import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** What an application of an old release does with a broker: a topic, records in a transaction, a group, offsets by time. */
public final class OldClient {
    private static final String TOPIC = "old-client";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> client = Map.of("bootstrap.servers", arguments[0]);
        try (AdminClient admin = AdminClient.create(client)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1))).all().get();
            produce(client);
            consume(client);
            TopicPartition first = new TopicPartition(TOPIC, 0);
            admin.listOffsets(Map.of(first, OffsetSpec.forTimestamp(0))).all().get();
            admin.describeCluster().nodes().get();
            admin.listConsumerGroups().all().get();
            admin.describeConsumerGroups(List.of("old-group")).all().get();
            admin.deleteTopics(List.of(TOPIC)).all().get();
        }
    }

    private static void produce(Map<String, Object> client) {
        Map<String, Object> settings = new HashMap<>(client);
        settings.put("transactional.id", "old-transactions");
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            for (int number = 0; number < 20; number++) {
                producer.send(new ProducerRecord<>(TOPIC, "key " + number, "value " + number));
            }
            producer.commitTransaction();
        }
    }

    private static void consume(Map<String, Object> client) {
        Properties settings = new Properties();
        settings.putAll(client);
        settings.put("group.id", "old-group");
        settings.put("auto.offset.reset", "earliest");
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            for (int read = 0, polls = 0; read < 20 && polls < 600; polls++) {
                read += consumer.poll(Duration.ofMillis(100)).count();
            }
            consumer.commitSync();
        }
    }
}
