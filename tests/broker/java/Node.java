package messagegen.broker;

import java.io.IOException;
import java.util.Arrays;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * One Kafka node in its own process: Node SERVER_PROPERTIES [arguments of kafka-storage ...].
 *
 * <p>With arguments of kafka-storage it first formats its log folder, which saves the start of a second JVM. It runs
 * until SIGTERM, or until standard input ends: that pipe closes whenever the parent process dies, so no broker outlives
 * it.
 */
public final class Node {
    private Node() {}

    public static void main(String[] arguments) {
        haltWithParent();
        if (arguments.length > 1) {
            String[] format = Arrays.copyOfRange(arguments, 1, arguments.length);
            int code = StorageTool.execute(format, System.err);
            if (code != 0) {
                System.exit(code);
            }
        }
        Kafka.main(new String[] {arguments[0]});
    }

    private static void haltWithParent() {
        Thread watch = new Thread(Node::awaitEndOfInput, "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // The parent writes nothing; only the end of the input matters.
            }
        } catch (IOException problem) {
            // A broken pipe is also an end.
        }
        Runtime.getRuntime().halt(1);
    }
}
