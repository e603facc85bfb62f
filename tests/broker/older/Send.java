package messagegen.broker.older;

import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Sends a record with the Java client on the class path, which may be of any release: Send BOOTSTRAP_SERVERS TOPIC
 * CLIENT_ID.
 */
public final class Send {
    private Send() {}

    public static void main(String[] arguments) throws Exception {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("client.id", arguments[2]);
        settings.put("retries", "0");
        settings.put("enable.idempotence", "false");
        settings.put("linger.ms", "0");
        settings.put("max.block.ms", "20000");
        settings.put("request.timeout.ms", "10000");
        settings.put("delivery.timeout.ms", "10000");
        settings.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        settings.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        KafkaProducer<String, String> producer = new KafkaProducer<>(settings);
        producer.send(new ProducerRecord<>(arguments[1], "a record")).get();
        producer.close();
    }
}
