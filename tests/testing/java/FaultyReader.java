import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Reads one record from partition 0 of a topic, with or without a group, and prints its value. If poll throws
 * exceptions first, prints their classes: FaultyReader BOOTSTRAP_SERVERS TOPIC [GROUP].
 */
public final class FaultyReader {
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private FaultyReader() {
    }

    public static void main(String[] arguments) {
        String topic = arguments[1];
        boolean inGroup = arguments.length > 2;
        Map<String, Object> config = inGroup
            ? Map.of("bootstrap.servers", arguments[0], "auto.offset.reset", "earliest", "group.id", arguments[2])
            : Map.of("bootstrap.servers", arguments[0], "auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            if (inGroup) {
                consumer.subscribe(List.of(topic));
            } else {
                consumer.assign(List.of(new TopicPartition(topic, 0)));
            }
            long end = System.nanoTime() + AT_MOST.toNanos();
            while (System.nanoTime() < end) {
                try {
                    for (var record : consumer.poll(Duration.ofMillis(500))) {
                        System.out.println(record.value());
                        return;
                    }
                } catch (KafkaException problem) {
                    System.out.println(problem.getClass().getSimpleName());
                }
            }
        }
    }
}
