import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Writes a record to partition 0 of a topic, and fetches from it. Prints the longest throttle time of the producer and
 * of the consumer, in milliseconds: Throttled BOOTSTRAP_SERVERS TOPIC.
 */
public final class Throttled {
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private Throttled() {
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", arguments[0]);
        String topic = arguments[1];
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, 0, null, "one")).get();
            System.out.println(longest(producer.metrics(), "produce-throttle-time-max"));
        }
        TopicPartition partition = new TopicPartition(topic, 0);
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, 0);
            long end = System.nanoTime() + AT_MOST.toNanos();
            double found;
            do {
                consumer.poll(Duration.ofMillis(100));
                found = longest(consumer.metrics(), "fetch-throttle-time-max");
            } while (!(found > 0) && System.nanoTime() < end);
            System.out.println(found);
        }
    }

    /** Returns the value of a metric, or NaN if it has no value yet. */
    private static double longest(Map<MetricName, ? extends Metric> metrics, String name) {
        return metrics.entrySet().stream()
            .filter(entry -> entry.getKey().name().equals(name))
            .mapToDouble(entry -> ((Number) entry.getValue().metricValue()).doubleValue())
            .max()
            .orElseThrow();
    }
}
