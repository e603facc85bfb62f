import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;

/**
 * Reads requests, one JSON object per line ("key", "version", "hex", "error"), and prints Java's error answers: the
 * "hex" of AbstractRequest.getErrorResponse, null if a request has no answer, or "failed" with the exception.
 */
public final class ErrorAnswers {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ErrorAnswers() {
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            ObjectNode answer = JSON.createObjectNode();
            try {
                answer.put("hex", answer((ObjectNode) JSON.readTree(line)));
            } catch (Exception problem) {
                answer.put("failed", problem.toString());
            }
            System.out.println(answer);
        }
    }

    private static String answer(ObjectNode question) {
        ApiKeys key = ApiKeys.forId(question.get("key").intValue());
        short version = question.get("version").shortValue();
        ByteBuffer body = ByteBuffer.wrap(HexFormat.of().parseHex(question.get("hex").textValue()));
        AbstractRequest request = AbstractRequest.parseRequest(key, version, new ByteBufferAccessor(body)).request;
        Errors error = Errors.forCode(question.get("error").shortValue());
        AbstractResponse response = request.getErrorResponse(0, error.exception());
        if (response == null) {
            return null;
        }
        ByteBuffer bytes = MessageUtil.toByteBufferAccessor(response.data(), version).buffer();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return HexFormat.of().formatHex(copy);
    }
}
