package messagegen.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.message.SpecJudge;

/** Answers each JSON line on standard input with one JSON line on standard output, in order. */
public final class Oracle {
    private static final int BUFFER_SIZE = 1 << 16;

    /** Reads and writes NaN and the infinities as bare words, like Python's json module. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
        .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
        .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
        .build();

    private final MessageQuestions messages =
        new MessageQuestions(new MessageClasses(System.getProperty("java.class.path")));
    private final SpecJudge judge = new SpecJudge();

    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        // If a library prints something, it must not end up between the answers.
        System.setOut(System.err);
        new Oracle().serve(
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), BUFFER_SIZE),
            new BufferedWriter(new OutputStreamWriter(answers, StandardCharsets.UTF_8), BUFFER_SIZE));
    }

    private void serve(BufferedReader questions, BufferedWriter answers) throws IOException {
        String line;
        while ((line = questions.readLine()) != null) {
            answers.write(MAPPER.writeValueAsString(answer(line)));
            answers.write('\n');
            // If no further question has arrived, the caller may be waiting for this answer. Otherwise, answers are
            // collected in the buffer.
            if (!questions.ready()) {
                answers.flush();
            }
        }
        answers.flush();
    }

    private ObjectNode answer(String line) {
        try {
            return dispatch(MAPPER.readTree(line));
        } catch (Exception | LinkageError | OutOfMemoryError | StackOverflowError problem) {
            return MAPPER.createObjectNode().put("error", describe(problem));
        }
    }

    private ObjectNode dispatch(JsonNode question) throws Exception {
        String op = question.path("op").asText();
        if (op.equals("errors")) {
            return ErrorCodes.answer();
        }
        return op.equals("judge") ? judge.judge(question) : messages.answer(op, question);
    }

    private static String describe(Throwable problem) {
        Throwable cause = problem instanceof InvocationTargetException ? problem.getCause() : problem;
        String message = cause instanceof JsonProcessingException
            ? ((JsonProcessingException) cause).getOriginalMessage()
            : cause.getMessage();
        return cause.getClass().getName() + (message == null ? "" : ": " + message);
    }
}
