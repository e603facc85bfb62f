package messagegen.broker;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Describes a whole cluster as the admin client sees it, and changes it in steps. */
final class ClusterCalls {
    /** The time that brokers may need to receive the controller's changes. */
    private static final long SETTLING_MS = 1000;
    private static final ConfigResource ORDERS = new ConfigResource(ConfigResource.Type.TOPIC, "orders");
    private static final ConfigResource BROKER = new ConfigResource(ConfigResource.Type.BROKER, "1");
    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");
    private static final ConfigResource GROUP = new ConfigResource(ConfigResource.Type.GROUP, "workers");
    private static final AclBinding READ = new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, "ord", PatternType.PREFIXED),
        new AccessControlEntry("User:CN=ann smith,O=x", "*", AclOperation.READ, AclPermissionType.ALLOW));
    private static final AclBinding DENIED = new AclBinding(
        new ResourcePattern(ResourceType.GROUP, "the group from x", PatternType.LITERAL),
        new AccessControlEntry("User:bob", "192.0.2.7", AclOperation.ALL, AclPermissionType.DENY));

    private final Admin admin;

    ClusterCalls(Admin admin) {
        this.admin = admin;
    }

    /**
     * Makes the changes of a step, and describes the cluster.
     *
     * <p>Step 0 changes nothing. Step 1 creates topics, configs, ACLs and so on. Step 2 changes some of them and
     * removes others. Step 3 removes most of them.
     */
    Object change(JsonNode question) throws Exception {
        int step = question.get("step").asInt();
        switch (step) {
            case 0 -> { }
            case 1 -> create();
            case 2 -> alter();
            case 3 -> remove();
            default -> throw new IllegalArgumentException("unknown step " + step);
        }
        Thread.sleep(SETTLING_MS);
        return describe();
    }

    private void create() throws Exception {
        admin.createTopics(List.of(
            new NewTopic("orders", 2, (short) 1).configs(Map.of("retention.ms", "3600000")),
            new NewTopic("again", 1, (short) 1).configs(Map.of("cleanup.policy", "compact")))).all().get();
        set(BROKER, "log.cleaner.threads", "2");
        set(ALL_BROKERS, "message.max.bytes", "2000000");
        set(GROUP, "consumer.session.timeout.ms", "50000");
        setPassword(ScramMechanism.SCRAM_SHA_256, 8192);
        setPassword(ScramMechanism.SCRAM_SHA_512, 4096);
        admin.createAcls(List.of(READ, DENIED)).all().get();
        commit("billing", "orders", 0, 5, "first");
        commit("billing", "orders", 1, 7, "");
        commit("audits", "again", 0, 1, "");
    }

    private void alter() throws Exception {
        set(ORDERS, "retention.ms", "7200000");
        set(ORDERS, "max.message.bytes", "1000000");
        admin.createPartitions(Map.of("orders", NewPartitions.increaseTo(3))).all().get();
        admin.deleteTopics(List.of("again")).all().get();
        admin.createTopics(List.of(new NewTopic("again", 2, (short) 1))).all().get();
        unset(ALL_BROKERS, "message.max.bytes");
        admin.alterUserScramCredentials(List.of(
            new UserScramCredentialDeletion("carol", ScramMechanism.SCRAM_SHA_256))).all().get();
        admin.deleteAcls(List.of(READ.toFilter())).all().get();
        commit("billing", "orders", 0, 6, "second");
        admin.deleteConsumerGroupOffsets("billing", Set.of(new TopicPartition("orders", 1))).all().get();
        admin.deleteConsumerGroups(List.of("audits")).all().get();
    }

    private void remove() throws Exception {
        admin.deleteTopics(List.of("orders", "again")).all().get();
        unset(BROKER, "log.cleaner.threads");
        admin.deleteAcls(List.of(AclBindingFilter.ANY)).all().get();
        admin.deleteConsumerGroups(List.of("billing")).all().get();
    }

    private void set(ConfigResource resource, String name, String value) throws Exception {
        alterConfig(resource, new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET));
    }

    private void unset(ConfigResource resource, String name) throws Exception {
        alterConfig(resource, new AlterConfigOp(new ConfigEntry(name, null), AlterConfigOp.OpType.DELETE));
    }

    private void alterConfig(ConfigResource resource, AlterConfigOp op) throws Exception {
        admin.incrementalAlterConfigs(Map.of(resource, List.of(op))).all().get();
    }

    private void setPassword(ScramMechanism mechanism, int iterations) throws Exception {
        ScramCredentialInfo info = new ScramCredentialInfo(mechanism, iterations);
        byte[] password = "a secret".getBytes(StandardCharsets.UTF_8);
        UserScramCredentialUpsertion change = new UserScramCredentialUpsertion("carol", info, password);
        admin.alterUserScramCredentials(List.of(change)).all().get();
    }

    private void commit(String group, String topic, int partition, long offset, String metadata) throws Exception {
        OffsetAndMetadata committed = new OffsetAndMetadata(offset, Optional.empty(), metadata);
        admin.alterConsumerGroupOffsets(group, Map.of(new TopicPartition(topic, partition), committed)).all().get();
    }

    /** Returns topics with partitions, configs that were set, quotas, ACLs, SCRAM users, features and commits. */
    private Object describe() throws Exception {
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("topics", topics());
        found.put("configs", configs());
        found.put("quotas", Calls.describeClientQuotas(admin));
        found.put("acls", acls());
        found.put("users", users());
        found.put("features", features());
        found.put("commits", commits());
        return found;
    }

    private List<Object> topics() throws Exception {
        Set<String> names = admin.listTopics(new ListTopicsOptions().listInternal(true))
            .names().get();
        List<Object> found = new ArrayList<>();
        for (TopicDescription topic : admin.describeTopics(names).allTopicNames().get().values()) {
            topic.partitions().forEach(partition -> found.add(List.of(
                topic.name(), topic.topicId().toString(), partition.partition(), partition.leader().id(),
                ids(partition.replicas()), ids(partition.isr()))));
        }
        return found;
    }

    private static List<Integer> ids(Collection<Node> nodes) {
        return nodes.stream().map(Node::id).toList();
    }

    private List<Object> configs() throws Exception {
        List<ConfigResource> resources = new ArrayList<>(admin.listConfigResources().all().get());
        resources.add(ALL_BROKERS);
        List<Object> found = new ArrayList<>();
        admin.describeConfigs(resources).all().get().forEach((resource, config) -> config.entries().stream()
            .filter(entry -> isSetFor(resource, entry))
            .forEach(entry -> found.add(Arrays.asList(
                resource.type().name(), resource.name(), entry.name(), entry.value()))));
        return found;
    }

    /** Whether a config was set dynamically for this resource itself, and not only for all brokers or in a file. */
    private static boolean isSetFor(ConfigResource resource, ConfigEntry entry) {
        return switch (entry.source()) {
            case DYNAMIC_TOPIC_CONFIG, DYNAMIC_BROKER_CONFIG, DYNAMIC_GROUP_CONFIG, DYNAMIC_CLIENT_METRICS_CONFIG ->
                true;
            case DYNAMIC_DEFAULT_BROKER_CONFIG -> resource.equals(ALL_BROKERS);
            default -> false;
        };
    }

    private List<Object> acls() throws Exception {
        List<Object> found = new ArrayList<>();
        for (AclBinding acl : admin.describeAcls(AclBindingFilter.ANY).values().get()) {
            found.add(List.of(
                acl.entry().principal(), acl.entry().permissionType().name(), acl.entry().operation().name(),
                acl.pattern().resourceType().name(), acl.pattern().patternType().name(), acl.pattern().name(),
                acl.entry().host()));
        }
        return found;
    }

    private List<Object> users() throws Exception {
        List<Object> found = new ArrayList<>();
        admin.describeUserScramCredentials().all().get().forEach((user, description) ->
            description.credentialInfos().forEach(info ->
                found.add(List.of(user, info.mechanism().mechanismName(), info.iterations()))));
        return found;
    }

    private Map<String, Object> features() throws Exception {
        Map<String, Object> found = new TreeMap<>();
        admin.describeFeatures().featureMetadata().get().finalizedFeatures().forEach(
            (name, range) -> found.put(name, range.maxVersionLevel()));
        return found;
    }

    private List<Object> commits() throws Exception {
        List<Object> found = new ArrayList<>();
        for (var group : admin.listGroups().all().get()) {
            Map<TopicPartition, OffsetAndMetadata> offsets =
                admin.listConsumerGroupOffsets(group.groupId()).partitionsToOffsetAndMetadata().get();
            offsets.forEach((partition, committed) -> {
                if (committed != null) {
                    found.add(List.of(group.groupId(), partition.topic(), partition.partition(), committed.offset(),
                        committed.metadata()));
                }
            });
        }
        return found;
    }
}
