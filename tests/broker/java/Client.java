package messagegen.broker;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A small application with Kafka's clients: Client NAME BOOTSTRAP_SERVERS TOPIC ARGUMENT.
 *
 * <p>Topics have two partitions. Values are numbers; even numbers are in the first partition.
 */
public final class Client {
    private static final long PATIENCE_MS = 60_000;
    private static final int PARTITIONS = 2;

    private Client() {}

    public static void main(String[] arguments) throws Exception {
        String bootstrap = arguments[1];
        String topic = arguments[2];
        switch (arguments[0]) {
            case "write" -> write(bootstrap, topic, Integer.parseInt(arguments[3]));
            case "read" -> read(bootstrap, topic, Integer.parseInt(arguments[3]));
            case "writeInTransaction" -> writeInTransaction(bootstrap, topic, Integer.parseInt(arguments[3]));
            case "administer" -> administer(bootstrap, topic);
            default -> throw new IllegalArgumentException("unknown name " + arguments[0]);
        }
    }

    /** Writes the numbers below {@code count}; halfway, it prints a line and waits for a line of input. */
    private static void write(String bootstrap, String topic, int count) throws Exception {
        try (KafkaProducer<String, String> producer = producer(bootstrap, Map.of())) {
            writeBetween(producer, topic, 0, count / 2);
            System.out.println("half");
            new BufferedReader(new InputStreamReader(System.in)).readLine();
            writeBetween(producer, topic, count / 2, count);
        }
    }

    private static void writeInTransaction(String bootstrap, String topic, int count) throws Exception {
        try (KafkaProducer<String, String> producer = producer(bootstrap, Map.of("transactional.id", topic))) {
            producer.initTransactions();
            producer.beginTransaction();
            writeBetween(producer, topic, 0, count);
            producer.commitTransaction();
        }
    }

    private static KafkaProducer<String, String> producer(String bootstrap, Map<String, Object> others) {
        Map<String, Object> settings = new HashMap<>(others);
        settings.put("bootstrap.servers", bootstrap);
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    private static void writeBetween(KafkaProducer<String, String> producer, String topic, int first, int end)
            throws Exception {
        for (int number = first; number < end; number++) {
            producer.send(new ProducerRecord<>(topic, number % PARTITIONS, null, String.valueOf(number))).get();
        }
    }

    /** Reads {@code count} committed values as a member of a group, and prints them. */
    private static void read(String bootstrap, String topic, int count) {
        Map<String, Object> settings = Map.of(
            "bootstrap.servers", bootstrap,
            "group.id", topic,
            "auto.offset.reset", "earliest",
            "isolation.level", "read_committed");
        StringDeserializer text = new StringDeserializer();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings, text, text)) {
            consumer.subscribe(List.of(topic));
            long deadline = System.currentTimeMillis() + PATIENCE_MS;
            int found = 0;
            while (found < count && System.currentTimeMillis() < deadline) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(500))) {
                    System.out.println(record.value());
                    found++;
                }
            }
        }
    }

    /** Creates and deletes a topic, lists groups, and prints the ports of the brokers in the cluster. */
    private static void administer(String bootstrap, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1))).all().get();
            admin.listGroups().all().get();
            System.out.println(admin.describeCluster().nodes().get().stream()
                .map(node -> String.valueOf(node.port()))
                .collect(Collectors.joining("\n")));
            admin.deleteTopics(List.of(topic)).all().get();
        }
    }
}
