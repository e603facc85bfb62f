package messagegen.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.utils.Exit;

/** Runs the main method of a Kafka tool, and catches what it prints and how it exits. */
final class ToolRunner {
    /** Kafka's scripts, and the class that each of them runs. */
    private static final Map<String, String> TOOLS = Map.of(
        "kafka-acls", "org.apache.kafka.tools.AclCommand",
        "kafka-configs", "kafka.admin.ConfigCommand",
        "kafka-console-consumer", "org.apache.kafka.tools.consumer.ConsoleConsumer",
        "kafka-consumer-groups", "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
        "kafka-dump-log", "org.apache.kafka.tools.DumpLogSegments",
        "kafka-get-offsets", "org.apache.kafka.tools.GetOffsetShell",
        "kafka-topics", "org.apache.kafka.tools.TopicCommand");

    private final Caught out = new Caught();
    private final Caught err = new Caught();
    private Integer exit;

    ToolRunner() {
        // Once and for all: Scala keeps the stream that it meets first.
        System.setOut(out.stream);
        System.setErr(err.stream);
        Exit.setExitProcedure(this::exited);
        Exit.setHaltProcedure(this::exited);
        // The JVM goes on after a tool, which closes what it opened when it returns.
        Exit.setShutdownHookAdder((name, hook) -> { });
    }

    void run(JsonNode question, ObjectNode answer) throws Exception {
        String name = question.get("tool").asText();
        String type = TOOLS.get(name);
        if (type == null) {
            throw new IllegalArgumentException("no tool " + name + ": there are " + TOOLS.keySet().stream().sorted().toList());
        }
        String[] arguments =
            StreamSupport.stream(question.get("args").spliterator(), false).map(JsonNode::asText).toArray(String[]::new);
        exit = null;
        out.begin();
        err.begin();
        try {
            Class<?> tool = Class.forName(type);
            forgetRecordCount(tool);
            tool.getMethod("main", String[].class).invoke(null, (Object) arguments);
        } catch (InvocationTargetException problem) {
            if (!(problem.getCause() instanceof Exited)) {
                // What the JVM does with an exception that leaves main.
                problem.getCause().printStackTrace(err.stream);
                exit = exit == null ? 1 : exit;
            }
        } finally {
            answer.put("exit", exit == null ? 0 : exit).put("out", out.end()).put("err", err.end());
        }
    }

    /** The first exit counts. A tool may catch the exception that means it, and complain: that is not its own output. */
    private void exited(int status, String message) {
        if (exit == null) {
            exit = status;
            if (message != null) {
                err.stream.println(message);
            }
            out.mute();
            err.mute();
        }
        throw new Exited();
    }

    /** The console consumer counts its records towards {@code --max-messages} in a static field. */
    private static void forgetRecordCount(Class<?> tool) throws ReflectiveOperationException {
        if (tool.getSimpleName().equals("ConsoleConsumer")) {
            Field count = tool.getDeclaredField("messageCount");
            count.setAccessible(true);
            count.setInt(null, 0);
        }
    }

    private static final class Exited extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Exited() {
            super("the tool exited", null, false, false);
        }
    }

    /** A stream that keeps what is written between {@code begin} and {@code end}, unless it is muted. */
    private static final class Caught extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final PrintStream stream = new PrintStream(this, true, StandardCharsets.UTF_8);
        private boolean open;

        synchronized void begin() {
            bytes.reset();
            open = true;
        }

        synchronized void mute() {
            stream.flush();
            open = false;
        }

        synchronized String end() {
            mute();
            String text = bytes.toString(StandardCharsets.UTF_8);
            bytes.reset();
            return text;
        }

        @Override
        public synchronized void write(int value) {
            if (open) {
                bytes.write(value);
            }
        }

        @Override
        public synchronized void write(byte[] data, int offset, int length) {
            if (open) {
                bytes.write(data, offset, length);
            }
        }
    }
}
