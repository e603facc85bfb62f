package messagegen.broker;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
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

/** The actions of an operator, which are recorded in {@code __cluster_metadata}. */
final class AdminTraffic {
    private static final int SCRAM_ITERATIONS = 4096;

    private final Admin admin;

    AdminTraffic(Admin admin) {
        this.admin = admin;
    }

    void topics() throws Exception {
        List<NewTopic> topics = new ArrayList<>();
        for (String codec : Traffic.CODECS) {
            topics.add(new NewTopic("codec-" + codec, 2, (short) 1));
        }
        topics.add(new NewTopic("audit", 1, (short) 1).configs(Map.of("message.timestamp.type", "LogAppendTime")));
        topics.add(new NewTopic("ledger", 1, (short) 1));
        topics.add(new NewTopic("sensors", 3, (short) 1));
        topics.add(new NewTopic("gone", 1, (short) 1));
        admin.createTopics(topics).all().get();
    }

    void topicConfigs() throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "codec-none");
        alterConfig(topic, new AlterConfigOp(new ConfigEntry("retention.ms", "86400000"), AlterConfigOp.OpType.SET));
        ConfigEntry largest = new ConfigEntry("max.message.bytes", "2000000");
        alterConfig(topic, new AlterConfigOp(largest, AlterConfigOp.OpType.SET));
        alterConfig(topic, new AlterConfigOp(new ConfigEntry("max.message.bytes", null), AlterConfigOp.OpType.DELETE));
    }

    /** Sets quotas. The defaults are so high that they do not slow down later traffic. */
    void quotas() throws Exception {
        Map<String, String> both = Map.of("user", "ann", "client-id", "reports");
        alterQuota(both, "producer_byte_rate", 12345.0);
        alterQuota(both, "consumer_byte_rate", 1e6);
        alterQuota(both, "consumer_byte_rate", null);
        alterQuota(Collections.singletonMap("user", null), "request_percentage", 1250.5);
        alterQuota(Map.of("ip", "192.0.2.7"), "connection_creation_rate", 5.0);
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

    private void alterConfig(ConfigResource resource, AlterConfigOp op) throws Exception {
        admin.incrementalAlterConfigs(Map.of(resource, List.of(op))).all().get();
    }

    private void alterQuota(Map<String, String> entity, String name, Double value) throws Exception {
        List<ClientQuotaAlteration.Op> ops = List.of(new ClientQuotaAlteration.Op(name, value));
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(new ClientQuotaEntity(entity), ops))).all().get();
    }
}
