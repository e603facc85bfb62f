package messagegen.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Describes what a query reads, for plans and for the progress of streams. */
final class Description {
  private static final int MOST_PATHS = 3;
  private static final String MODE = "mode";
  private static final List<String> NAMED =
      Stream.concat(Query.OF_TOPICS.stream(), Stream.of("partitions", Query.MESSAGE, "version")).toList();

  private Description() {}

  /**
   * Return the first paths, the options that select topics, partitions and a message with its version, and the mode.
   * The names of {@code options} are case-insensitive, and begin with {@code prefix}.
   */
  static String of(List<String> paths, Map<String, String> options, String prefix) {
    List<String> parts = new ArrayList<>();
    parts.add(KafkaLogSource.NAME);
    String more = paths.size() > MOST_PATHS ? " and " + (paths.size() - MOST_PATHS) + " more" : "";
    parts.add("path: " + String.join(" ", paths.subList(0, Math.min(MOST_PATHS, paths.size()))) + more);
    for (String name : NAMED) {
      String value = options.get(prefix + name);
      if (value != null) {
        parts.add(name + ": " + value);
      }
    }
    parts.add("mode: " + options.getOrDefault(prefix + MODE, "FAILFAST").toUpperCase(Locale.ROOT));
    return String.join(", ", parts);
  }
}
