// Apache's generators have package-private constructors, so this class must be in their package.
package org.apache.kafka.message;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.source.util.JavacTask;
import java.io.BufferedWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Decides whether Apache's generator accepts a spec and, on request, whether javac accepts the generated code.
 * The answer to a refused spec names the stage that refused it: "read", "generate" or "compile".
 */
public final class SpecJudge {
    private static final String PACKAGE = "made.up";

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private StandardJavaFileManager files;

    public ObjectNode judge(JsonNode question) throws Exception {
        MessageSpec spec;
        try {
            // Apache's generator reads files, so parse bytes: unlike strings, they may begin with a byte order mark.
            byte[] text = question.path("spec").asText().getBytes(StandardCharsets.UTF_8);
            spec = MessageGenerator.JSON_SERDE.readValue(text, MessageSpec.class);
        } catch (Exception problem) {
            return refusal("read", reason(problem));
        }
        List<JavaFileObject> sources;
        try {
            sources = generate(spec);
        } catch (RuntimeException problem) {
            return refusal("generate", reason(problem));
        }
        String problem = question.path("compile").asBoolean() && !sources.isEmpty() ? compile(sources) : "";
        if (!problem.isEmpty()) {
            return refusal("compile", problem);
        }
        return JsonNodeFactory.instance.objectNode().put("accepted", true);
    }

    private static List<JavaFileObject> generate(MessageSpec spec) throws Exception {
        List<JavaFileObject> sources = new ArrayList<>();
        if (spec.hasValidVersion()) {
            List<MessageClassGenerator> generators =
                List.of(new MessageDataGenerator(PACKAGE), new JsonConverterGenerator(PACKAGE));
            for (MessageClassGenerator generator : generators) {
                StringWriter text = new StringWriter();
                try (BufferedWriter writer = new BufferedWriter(text)) {
                    generator.generateAndWrite(spec, writer);
                }
                sources.add(new Source(generator.outputName(spec), text.toString()));
            }
        }
        return sources;
    }

    private String compile(List<JavaFileObject> sources) throws Exception {
        if (files == null) {
            files = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
        }
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of("-nowarn", "-proc:none", "-classpath", System.getProperty("java.class.path"));
        JavacTask task = (JavacTask) compiler.getTask(null, files, found, options, null, sources);
        task.analyze();
        return found.getDiagnostics().stream()
            .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
            .map(diagnostic -> diagnostic.getMessage(Locale.ROOT).lines().findFirst().orElse(diagnostic.getCode()))
            .distinct()
            .collect(Collectors.joining("; "));
    }

    private static ObjectNode refusal(String stage, String reason) {
        return JsonNodeFactory.instance.objectNode().put("error", reason).put("stage", stage);
    }

    /** Class and message of the generator's own exception, which Jackson wraps while it reads a spec. */
    private static String reason(Throwable problem) {
        Throwable cause = problem;
        while (cause instanceof JsonProcessingException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        String firstLine = message == null ? "" : message.lines().findFirst().orElse("");
        return cause.getClass().getSimpleName() + ": " + firstLine;
    }

    /** A source file that javac reads from memory. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String className, String text) throws URISyntaxException {
            // This constructor of URI escapes characters in a spec's names, so that javac gets to refuse the names.
            super(
                new URI("string", null, "/" + PACKAGE.replace('.', '/') + "/" + className + ".java", null),
                Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
