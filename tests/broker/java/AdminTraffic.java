package messagegen.broker;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** What an operator does: it ends up in {@code __cluster_metadata}. */
final class AdminTraffic {
    static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final int SCRAM_ITERATIONS = 4096;

    private final Admin admin;

    AdminTraffic(Admin admin) {
        this.admin = admin;
    }

    void topics() throws Exception {
        Map<String, Integer> partitions = new HashMap<>();
        List<NewTopic> topics = new ArrayList<>();
        for (String codec : CODECS) {
            topics.add(new NewTopic("codec-" + codec, 2, (short) 1));
        }
        topics.add(new NewTopic("audit", 1, (short) 1).configs(Map.of("message.timestamp.type", "LogAppendTime")));
        topics.add(new NewTopic("profiles", 1, (short) 1).configs(Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01")));
        topics.add(new NewTopic("ledger", 1, (short) 1));
        topics.add(new NewTopic("sensors", 1, (short) 1));
        topics.add(new NewTopic("gone", 1, (short) 1));
        topics.forEach(topic -> partitions.put(topic.name(), topic.numPartitions()));
        admin.createTopics(topics).all().get();
        TopicCalls.awaitLeaders(admin, partitions);
    }

    void topicConfigs() throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "codec-none");
        alterConfig(topic, new AlterConfigOp(new ConfigEntry("retention.ms", "86400000"), AlterConfigOp.OpType.SET));
        alterConfig(topic, new AlterConfigOp(new ConfigEntry("max.message.bytes", "2000000"), AlterConfigOp.OpType.SET));
        alterConfig(topic, new AlterConfigOp(new ConfigEntry("max.message.bytes", null), AlterConfigOp.OpType.DELETE));
    }

    void morePartitions() throws Exception {
        admin.createPartitions(Map.of("sensors", NewPartitions.increaseTo(3))).all().get();
        TopicCalls.awaitLeaders(admin, Map.of("sensors", 3));
    }

    /** The defaults are too high to slow down the traffic that follows. */
    void quotas() throws Exception {
        Map<String, String> both = Map.of("user", "ann", "client-id", "reports");
        admin.alterClientQuotas(List.of(
            quota(both, "producer_byte_rate", 12345.0, "consumer_byte_rate", 1e6),
            quota(Collections.singletonMap("user", null), "request_percentage", 1250.5),
            quota(Collections.singletonMap("client-id", null), "controller_mutation_rate", 1000.5),
            quota(Map.of("ip", "192.0.2.7"), "connection_creation_rate", 5.0))).all().get();
        admin.alterClientQuotas(List.of(quota(both, "consumer_byte_rate", (Double) null))).all().get();
    }

    void scramUsers() throws Exception {
        ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, SCRAM_ITERATIONS);
        byte[] password = "carol-secret".getBytes(StandardCharsets.UTF_8);
        byte[] salt = "salt".getBytes(StandardCharsets.UTF_8);
        admin.alterUserScramCredentials(List.of(
            new UserScramCredentialUpsertion("carol", info, password, salt),
            new UserScramCredentialUpsertion("dave", info, password, salt))).all().get();
        admin.alterUserScramCredentials(List.of(new UserScramCredentialDeletion("dave", info.mechanism()))).all().get();
    }

    void acls() throws Exception {
        AclBinding read = new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, "codec-", PatternType.PREFIXED),
            new AccessControlEntry("User:ann", "*", AclOperation.READ, AclPermissionType.ALLOW));
        AclBinding denied = new AclBinding(
            new ResourcePattern(ResourceType.GROUP, "billing", PatternType.LITERAL),
            new AccessControlEntry("User:bob", "192.0.2.7", AclOperation.ALL, AclPermissionType.DENY));
        admin.createAcls(List.of(read, denied)).all().get();
        admin.deleteAcls(List.of(denied.toFilter())).all().get();
    }

    void deleteTopic() throws Exception {
        admin.deleteTopics(List.of("gone")).all().get();
    }

    private void alterConfig(ConfigResource resource, AlterConfigOp... ops) throws Exception {
        admin.incrementalAlterConfigs(Map.of(resource, Arrays.asList(ops))).all().get();
    }

    /** {@code namesAndValues}: names of quotas, each followed by its value, or by null to remove it. */
    private static ClientQuotaAlteration quota(Map<String, String> entity, Object... namesAndValues) {
        List<ClientQuotaAlteration.Op> ops = new ArrayList<>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            ops.add(new ClientQuotaAlteration.Op((String) namesAndValues[at], (Double) namesAndValues[at + 1]));
        }
        return new ClientQuotaAlteration(new ClientQuotaEntity(entity), ops);
    }
}
