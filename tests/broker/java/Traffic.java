package messagegen.broker;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * Does everything that leaves traces in a broker's logs: Traffic BOOTSTRAP_SERVERS RECORDS.
 *
 * <p>RECORDS is the number of records in each topic of records. The broker needs an authorizer.
 */
public final class Traffic {
    static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

    private Traffic() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> client = Map.of("bootstrap.servers", arguments[0]);
        int records = Integer.parseInt(arguments[1]);
        try (Admin admin = Admin.create(client)) {
            AdminTraffic changes = new AdminTraffic(admin);
            changes.topics();
            changes.topicConfigs();
            changes.quotas();
            changes.scramUsers();
            changes.acls();
            new RecordTraffic(client, records).run();
            new GroupTraffic(admin, client, records).run();
            changes.deleteTopic();
        }
    }
}
