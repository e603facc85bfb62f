package messagegen.broker;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListStreamsGroupOffsetsSpec;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RaftVoterEndpoint;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * All calls of the admin client: AdminCalls BOOTSTRAP_SERVERS TOPIC RUN prints the name of each call and its error.
 *
 * <p>Without arguments it prints the names of all methods of Admin that are neither called nor in {@code LOCAL}.
 */
public final class AdminCalls {
    /** Methods that send nothing to a broker. */
    private static final Set<String> LOCAL = Set.of(
        "close", "create", "metrics", "registerMetricForSubscription", "unregisterMetricFromSubscription");
    private static final int BROKER = 1;
    private static final int ITERATIONS = 4096;
    private static final int PATIENCE_SECONDS = 30;

    private final Admin admin;
    private final String topic;
    private final String run;
    private final TopicPartition partition;
    private final Map<String, Call> calls = new TreeMap<>();

    private interface Call {
        Object make() throws Exception;
    }

    private AdminCalls(Admin admin, String topic, String run) {
        this.admin = admin;
        this.topic = topic;
        this.run = run;
        this.partition = new TopicPartition(topic, 0);
        topics();
        configs();
        cluster();
        groups();
        otherGroups();
        security();
        transactions();
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            Set<String> names = new TreeSet<>();
            for (Method method : Admin.class.getMethods()) {
                names.add(method.getName());
            }
            names.removeAll(LOCAL);
            names.removeAll(new AdminCalls(null, "", "").calls.keySet());
            names.forEach(System.out::println);
            return;
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", arguments[0]))) {
            new AdminCalls(admin, arguments[1], arguments[2]).makeAll();
        }
    }

    private void makeAll() throws Exception {
        for (Map.Entry<String, Call> each : calls.entrySet()) {
            String error = "ok";
            try {
                waitFor(each.getValue().make());
            } catch (ExecutionException failure) {
                error = failure.getCause().getClass().getSimpleName();
            } catch (Exception failure) {
                error = failure.getClass().getSimpleName();
            }
            System.out.println(each.getKey() + " " + error);
        }
    }

    /** Waits for all futures in a result of any class. */
    private static void waitFor(Object result) throws Exception {
        if (result instanceof KafkaFuture<?> future) {
            waitFor(future.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } else if (result instanceof Map<?, ?> map) {
            waitFor(map.values());
        } else if (result instanceof Collection<?> collection) {
            for (Object each : collection) {
                waitFor(each);
            }
        } else if (result != null && result.getClass().getName().endsWith("Result")) {
            for (Method method : result.getClass().getMethods()) {
                boolean isFuture = KafkaFuture.class.isAssignableFrom(method.getReturnType())
                    || Map.class.isAssignableFrom(method.getReturnType());
                if (isFuture && method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers())) {
                    method.setAccessible(true);
                    waitFor(method.invoke(result));
                }
            }
        }
    }

    private String name(String what) {
        return what + "-" + run;
    }

    private void topics() {
        calls.put("createTopics", () -> admin.createTopics(List.of(new NewTopic(name("new"), 1, (short) 1))));
        calls.put("createPartitions", () -> admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(3))));
        calls.put("deleteTopics", () -> admin.deleteTopics(List.of(name("new"))));
        calls.put("listTopics", () -> admin.listTopics());
        calls.put("describeTopics", () -> admin.describeTopics(List.of(topic)));
        calls.put("deleteRecords",
            () -> admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1))).all());
        calls.put("listOffsets", () -> admin.listOffsets(Map.of(partition, OffsetSpec.latest())).all());
        calls.put("electLeaders", () -> admin.electLeaders(ElectionType.PREFERRED, Set.of(partition)).all());
        calls.put("alterPartitionReassignments", () -> admin.alterPartitionReassignments(
            Map.of(partition, Optional.of(new NewPartitionReassignment(List.of(BROKER))))));
        calls.put("listPartitionReassignments", () -> admin.listPartitionReassignments());
        calls.put("describeLogDirs", () -> admin.describeLogDirs(List.of(BROKER)).allDescriptions());
        TopicPartitionReplica replica = new TopicPartitionReplica(topic, 0, BROKER);
        calls.put("describeReplicaLogDirs", () -> admin.describeReplicaLogDirs(List.of(replica)).all());
        calls.put("alterReplicaLogDirs", () -> admin.alterReplicaLogDirs(Map.of(replica, "/no-such-folder")).all());
    }

    private void configs() {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        AlterConfigOp op = new AlterConfigOp(new ConfigEntry("retention.ms", "90000000"), AlterConfigOp.OpType.SET);
        calls.put("describeConfigs", () -> admin.describeConfigs(List.of(resource)).all());
        calls.put("incrementalAlterConfigs", () -> admin.incrementalAlterConfigs(Map.of(resource, List.of(op))));
        calls.put("listConfigResources", () -> admin.listConfigResources());
        calls.put("listClientMetricsResources", () -> admin.listClientMetricsResources());
        ClientQuotaEntity entity = new ClientQuotaEntity(Map.of("user", name("user")));
        List<ClientQuotaAlteration.Op> ops = List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 1e9));
        calls.put("alterClientQuotas",
            () -> admin.alterClientQuotas(List.of(new ClientQuotaAlteration(entity, ops))));
        calls.put("describeClientQuotas", () -> admin.describeClientQuotas(ClientQuotaFilter.all()).entities());
    }

    private void cluster() {
        calls.put("describeCluster", () -> admin.describeCluster());
        calls.put("describeFeatures", () -> admin.describeFeatures());
        calls.put("updateFeatures", () -> admin.updateFeatures(
            Map.of("no.such.feature", new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.UPGRADE))));
        calls.put("describeMetadataQuorum", () -> admin.describeMetadataQuorum());
        Uuid directory = new Uuid(1, 2);
        Set<RaftVoterEndpoint> endpoints = Set.of(new RaftVoterEndpoint("CONTROLLER", "127.0.0.1", 9));
        calls.put("addRaftVoter", () -> admin.addRaftVoter(9, directory, endpoints));
        calls.put("removeRaftVoter", () -> admin.removeRaftVoter(9, directory));
        calls.put("unregisterBroker", () -> admin.unregisterBroker(99));
        calls.put("unregisterController", () -> admin.unregisterController(99));
        calls.put("clientInstanceId", () -> admin.clientInstanceId(Duration.ofSeconds(PATIENCE_SECONDS)));
    }

    private void groups() {
        String group = name("group");
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(partition, new OffsetAndMetadata(1));
        calls.put("alterConsumerGroupOffsets", () -> admin.alterConsumerGroupOffsets(group, offsets).all());
        calls.put("listConsumerGroupOffsets",
            () -> admin.listConsumerGroupOffsets(Map.of(group, new ListConsumerGroupOffsetsSpec())).all());
        calls.put("deleteConsumerGroupOffsets",
            () -> admin.deleteConsumerGroupOffsets(group, Set.of(partition)).all());
        calls.put("deleteConsumerGroups", () -> admin.deleteConsumerGroups(List.of(group)).all());
        calls.put("describeConsumerGroups", () -> admin.describeConsumerGroups(List.of(group)).all());
        calls.put("describeClassicGroups", () -> admin.describeClassicGroups(List.of(group)).all());
        calls.put("listConsumerGroups", () -> admin.listConsumerGroups().all());
        calls.put("listGroups", () -> admin.listGroups().all());
        RemoveMembersFromConsumerGroupOptions absent =
            new RemoveMembersFromConsumerGroupOptions(List.of(new MemberToRemove("absent")));
        calls.put("removeMembersFromConsumerGroup",
            () -> admin.removeMembersFromConsumerGroup(group, absent).all());
    }

    private void otherGroups() {
        String group = name("other");
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(partition, new OffsetAndMetadata(1));
        calls.put("describeShareGroups", () -> admin.describeShareGroups(List.of(group)).all());
        calls.put("listShareGroupOffsets",
            () -> admin.listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec())).all());
        calls.put("alterShareGroupOffsets", () -> admin.alterShareGroupOffsets(group, Map.of(partition, 1L)).all());
        calls.put("deleteShareGroupOffsets", () -> admin.deleteShareGroupOffsets(group, Set.of(topic)).all());
        calls.put("deleteShareGroups", () -> admin.deleteShareGroups(List.of(group)).all());
        calls.put("describeStreamsGroups", () -> admin.describeStreamsGroups(List.of(group)).all());
        calls.put("listStreamsGroupOffsets",
            () -> admin.listStreamsGroupOffsets(Map.of(group, new ListStreamsGroupOffsetsSpec())).all());
        calls.put("alterStreamsGroupOffsets", () -> admin.alterStreamsGroupOffsets(group, offsets).all());
        calls.put("deleteStreamsGroupOffsets",
            () -> admin.deleteStreamsGroupOffsets(group, Set.of(partition)).all());
        calls.put("deleteStreamsGroups", () -> admin.deleteStreamsGroups(List.of(group)).all());
    }

    private void security() {
        AclBinding binding = new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, name("acl"), PatternType.LITERAL),
            new AccessControlEntry("User:ann", "*", AclOperation.READ, AclPermissionType.ALLOW));
        calls.put("createAcls", () -> admin.createAcls(List.of(binding)).all());
        calls.put("describeAcls", () -> admin.describeAcls(binding.toFilter()).values());
        calls.put("deleteAcls", () -> admin.deleteAcls(List.of(binding.toFilter())).all());
        ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, ITERATIONS);
        byte[] text = "password".getBytes(StandardCharsets.UTF_8);
        calls.put("alterUserScramCredentials", () -> admin.alterUserScramCredentials(
            List.of(new UserScramCredentialUpsertion(name("user"), info, text, text))).all());
        calls.put("describeUserScramCredentials", () -> admin.describeUserScramCredentials().all());
        calls.put("createDelegationToken", () -> admin.createDelegationToken().delegationToken());
        calls.put("renewDelegationToken", () -> admin.renewDelegationToken(text).expiryTimestamp());
        calls.put("expireDelegationToken", () -> admin.expireDelegationToken(text).expiryTimestamp());
        calls.put("describeDelegationToken", () -> admin.describeDelegationToken().delegationTokens());
    }

    private void transactions() {
        calls.put("describeProducers", () -> admin.describeProducers(List.of(partition)).all());
        calls.put("describeTransactions", () -> admin.describeTransactions(List.of(name("absent"))).all());
        calls.put("listTransactions", () -> admin.listTransactions().all());
        calls.put("fenceProducers", () -> admin.fenceProducers(List.of(name("producer"))).all());
        calls.put("abortTransaction",
            () -> admin.abortTransaction(new AbortTransactionSpec(partition, 999, (short) 0, 0)).all());
        calls.put("forceTerminateTransaction", () -> admin.forceTerminateTransaction(name("producer")).result());
    }
}
