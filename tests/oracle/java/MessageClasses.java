package messagegen.oracle;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.kafka.common.protocol.ApiMessage;

/** Finds the generated class of a message by the message's name, in any package on the class path. */
final class MessageClasses {
    private static final String CONVERTER = "JsonConverter";
    private static final String CLASS_FILE = ".class";
    /**
     * Matches converters, and all classes in the packages of Kafka's messages, because releases before 2.7 have no
     * converters.
     */
    private static final Pattern GENERATED =
        Pattern.compile("(.*JsonConverter|(.*/)?(message|generated)/[^/$]+)\\.class");

    /** The full names of generated classes by simple name. The first class on the class path wins, as in Java. */
    private final Map<String, String> fullNames = new HashMap<>();
    private final Map<String, MessageClass> found = new HashMap<>();

    MessageClasses(String classPath) {
        for (String entry : classPath.split(File.pathSeparator)) {
            for (String file : classFiles(Path.of(entry))) {
                String name = file.substring(0, file.length() - CLASS_FILE.length()).replace('/', '.');
                boolean converter = name.endsWith(CONVERTER);
                String fullName = converter ? name.substring(0, name.length() - CONVERTER.length()) : name;
                fullNames.putIfAbsent(fullName.substring(fullName.lastIndexOf('.') + 1), fullName);
            }
        }
    }

    MessageClass find(String message) throws ReflectiveOperationException {
        MessageClass messageClass = found.get(message);
        if (messageClass == null) {
            messageClass = load(message);
            found.put(message, messageClass);
        }
        return messageClass;
    }

    private MessageClass load(String message) throws ReflectiveOperationException {
        // Requests, responses and headers get a suffix (MessageSpec.dataClassName of Apache's generator).
        String fullName = fullNames.getOrDefault(message + "Data", fullNames.get(message));
        if (fullName == null) {
            throw new ClassNotFoundException("no generated class for message " + message + " on the class path");
        }
        return new MessageClass(Class.forName(fullName).asSubclass(ApiMessage.class), converter(fullName));
    }

    /** Returns the converter of a class, or null in releases whose classes have no JSON form. */
    private static Class<?> converter(String fullName) {
        try {
            return Class.forName(fullName + CONVERTER);
        } catch (ClassNotFoundException problem) {
            return null;
        }
    }

    private static List<String> classFiles(Path entry) {
        try {
            if (Files.isDirectory(entry)) {
                try (Stream<Path> files = Files.walk(entry)) {
                    Stream<String> names = files.map(file -> entry.relativize(file).toString());
                    return generated(names.map(name -> name.replace(File.separatorChar, '/')));
                }
            }
            try (ZipFile jar = new ZipFile(entry.toFile())) {
                return generated(jar.stream().map(ZipEntry::getName));
            }
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private static List<String> generated(Stream<String> names) {
        return names.filter(name -> GENERATED.matcher(name).matches()).collect(Collectors.toList());
    }
}
