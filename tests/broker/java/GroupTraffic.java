package messagegen.broker;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The actions of groups, which are recorded in {@code __consumer_offsets} and {@code __share_group_state}. */
final class GroupTraffic {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int POLLS = 500;
    private static final int SHARED = 20;
    private static final List<AcknowledgeType> ACKNOWLEDGEMENTS =
        List.of(AcknowledgeType.ACCEPT, AcknowledgeType.ACCEPT, AcknowledgeType.RELEASE, AcknowledgeType.REJECT);

    private final Admin admin;
    private final Map<String, Object> client;
    private final int records;

    GroupTraffic(Admin admin, Map<String, Object> client, int records) {
        this.admin = admin;
        this.client = client;
        this.records = records;
    }

    void run() throws Exception {
        classic();
        consumer();
        share();
        tombstones();
        offsetsByTime();
    }

    /** A classic group with two members that join one after the other, so that it rebalances. */
    private void classic() throws Exception {
        for (String member : List.of("first", "second")) {
            Map<String, Object> names = Map.of("client.id", member, "client.rack", "rack-a");
            try (KafkaConsumer<byte[], byte[]> consumer = consumer("billing", "classic", names)) {
                consumer.subscribe(List.of("codec-none", "ledger"));
                poll(consumer, member.equals("first") ? records : 0);
                consumer.commitSync();
                commitWithMetadata(consumer, member);
            }
        }
    }

    /**
     * A group with the protocol of KIP-848. One member subscribes by names, the other by a regular expression that the
     * broker resolves.
     */
    private void consumer() throws Exception {
        try (KafkaConsumer<byte[], byte[]> byName = consumer("reports", "consumer", Map.of("client.rack", "rack-a"));
            KafkaConsumer<byte[], byte[]> byPattern = consumer("reports", "consumer", Map.of())) {
            byName.subscribe(List.of("codec-zstd"));
            byPattern.subscribe(new SubscriptionPattern("codec-(lz4|gzip)"));
            poll(byName, records);
            poll(byPattern, records);
            commitWithMetadata(byName, "by name");
            byPattern.commitSync();
        }
    }

    /** A share group (KIP-932) that accepts, releases and rejects records. */
    private void share() throws Exception {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, "workers");
        ConfigEntry reset = new ConfigEntry("share.auto.offset.reset", "earliest");
        AlterConfigOp earliest = new AlterConfigOp(reset, AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(group, List.of(earliest))).all().get();
        Map<String, Object> properties = new HashMap<>(client);
        properties.put("group.id", "workers");
        properties.put("share.acknowledgement.mode", "explicit");
        int wanted = Math.min(SHARED, records);
        int count = 0;
        try (KafkaShareConsumer<byte[], byte[]> consumer =
            new KafkaShareConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("audit"));
            for (int inVain = 0; count < wanted; inVain++) {
                orGiveUp(inVain, "audit");
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    consumer.acknowledge(record, ACKNOWLEDGEMENTS.get(count++ % ACKNOWLEDGEMENTS.size()));
                }
                consumer.commitSync();
            }
        }
    }

    private void tombstones() throws Exception {
        admin.deleteConsumerGroupOffsets("billing", Set.of(new TopicPartition("codec-none", 1))).all().get();
        TopicPartition partition = new TopicPartition("codec-none", 0);
        OffsetAndMetadata offset = new OffsetAndMetadata(1, Optional.of(0), "set by hand");
        admin.alterConsumerGroupOffsets("short-lived", Map.of(partition, offset)).all().get();
        admin.deleteConsumerGroups(List.of("short-lived")).all().get();
    }

    /** Sends ListOffsets requests of each kind; they leave traces only in a capture. */
    private void offsetsByTime() {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer("unused", "classic", Map.of())) {
            List<TopicPartition> partitions =
                List.of(new TopicPartition("codec-none", 0), new TopicPartition("audit", 0));
            Map<TopicPartition, Long> times = new HashMap<>();
            partitions.forEach(partition -> times.put(partition, System.currentTimeMillis() - 5000));
            consumer.offsetsForTimes(times);
            consumer.beginningOffsets(partitions);
            consumer.endOffsets(partitions);
        }
    }

    private static void commitWithMetadata(KafkaConsumer<byte[], byte[]> consumer, String metadata) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition partition : consumer.assignment()) {
            long position = consumer.position(partition);
            offsets.put(partition, new OffsetAndMetadata(position, Optional.of(0), "committed by " + metadata));
        }
        consumer.commitSync(offsets);
    }

    private KafkaConsumer<byte[], byte[]> consumer(String group, String protocol, Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(client);
        properties.put("group.id", group);
        properties.put("group.protocol", protocol);
        properties.put("auto.offset.reset", "earliest");
        properties.put("isolation.level", "read_committed");
        properties.putAll(more);
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Polls until the member has partitions, and has received {@code wanted} records. */
    private static void poll(KafkaConsumer<byte[], byte[]> consumer, int wanted) {
        int count = 0;
        int inVain = 0;
        while (count < wanted || consumer.assignment().isEmpty()) {
            int found = consumer.poll(POLL).count();
            count += found;
            inVain = found == 0 ? inVain + 1 : 0;
            orGiveUp(inVain, consumer.subscription());
        }
    }

    private static void orGiveUp(int inVain, Object topics) {
        if (inVain == POLLS) {
            throw new IllegalStateException("too few records of " + topics + " arrived: were they sent?");
        }
    }
}
