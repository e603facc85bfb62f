package messagegen.broker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * Makes everything that leaves traces in a broker's logs: Traffic BOOTSTRAP_SERVERS RECORDS [acls].
 *
 * <p>RECORDS is the number of records in each topic of records. Each step gives one JSON line ({@code step}, and {@code error} with
 * {@code message} where it failed); the first that fails ends the program with 1. {@code acls} needs a broker with an authorizer.
 */
public final class Traffic {
    interface Step {
        void run() throws Exception;
    }

    private Traffic() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> client = Map.of("bootstrap.servers", arguments[0]);
        int records = Integer.parseInt(arguments[1]);
        boolean acls = arguments.length > 2 && arguments[2].equals("acls");
        try (Admin admin = Admin.create(new HashMap<>(client))) {
            AdminTraffic changes = new AdminTraffic(admin);
            RecordTraffic sent = new RecordTraffic(client, records);
            GroupTraffic groups = new GroupTraffic(admin, client, records);
            step("topics", changes::topics);
            step("topic configs", changes::topicConfigs);
            step("more partitions", changes::morePartitions);
            step("client quotas", changes::quotas);
            step("SCRAM users", changes::scramUsers);
            if (acls) {
                step("ACLs", changes::acls);
            }
            for (String codec : AdminTraffic.CODECS) {
                step("records with " + codec, () -> sent.compressed(codec));
            }
            step("records with LogAppendTime", sent::appendTime);
            step("records to compact", sent::compacted);
            step("records without idempotence", sent::notIdempotent);
            step("transactions", sent::transactions);
            step("open transaction", sent::openTransaction);
            step("classic group", groups::classic);
            step("consumer group", groups::consumer);
            step("share group", groups::share);
            step("offset tombstones", groups::tombstones);
            step("offsets by time", groups::offsetsByTime);
            step("deleted topic", changes::deleteTopic);
        }
    }

    private static void step(String name, Step step) {
        ObjectNode line = Calls.MAPPER.createObjectNode().put("step", name);
        try {
            step.run();
        } catch (Exception problem) {
            Calls.describe(problem, line);
        }
        System.out.println(line);
        System.out.flush();
        if (line.has("error")) {
            // An open producer or consumer would delay a regular end.
            Runtime.getRuntime().halt(1);
        }
    }
}
