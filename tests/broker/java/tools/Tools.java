package messagegen.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Runs Apache's own tools and clients in one JVM: each JSON line on standard input is answered by one on standard output.
 *
 * <pre>
 * {"tool": "kafka-configs", "args": ["--describe", ...]}                  -> {"exit": 0, "out": "...", "err": "..."}
 * {"call": "listOffsets", "client": {"bootstrap.servers": ...}, ...}      -> {"result": ...}
 * a call that fails                                                       -> {"error": "UnknownTopic...", "message": "..."}
 * </pre>
 */
public final class Tools {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ToolRunner runner = new ToolRunner();
    private final Calls calls = new Calls();

    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        Tools tools = new Tools();
        try (BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            BufferedWriter out = new BufferedWriter(new OutputStreamWriter(answers, StandardCharsets.UTF_8))) {
            String line;
            while ((line = questions.readLine()) != null) {
                out.write(MAPPER.writeValueAsString(tools.answer(line)));
                out.write('\n');
                out.flush();
            }
        } finally {
            tools.calls.close();
        }
    }

    private ObjectNode answer(String line) {
        ObjectNode answer = MAPPER.createObjectNode();
        try {
            JsonNode question = MAPPER.readTree(line);
            if (question.has("tool")) {
                runner.run(question, answer);
            } else {
                answer.set("result", calls.call(question));
            }
        } catch (Exception | LinkageError | OutOfMemoryError problem) {
            Calls.describe(problem, answer);
        }
        return answer;
    }
}
