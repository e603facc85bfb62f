package messagegen.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the plans of messages. The plans of Kafka's messages are in the jar. Other plans are in settings, in files, or
 * in resources of other jars with the same path ({@code messagegen/spark/plans/OrderPlaced}). Only for drivers.
 */
final class Plans {
  private static final String FOLDER = "messagegen/spark/plans/";

  /** The resource that lists the names of Kafka's messages, one per line. */
  private static final String INDEX = "plans.txt";

  private Plans() {}

  /** The plan of a message. Spark sends it to executors. */
  record Plan(String message, String text) implements Serializable {}

  /**
   * Return the plan of a message, for functions. Case only matters if there are several names that differ only in case.
   */
  static Plan find(Settings settings, String message) {
    Map<String, String> own = PlanFiles.read(settings.planFiles());
    own.putAll(settings.plans());
    Set<String> names = new TreeSet<>(own.keySet());
    names.addAll(ofKafka());
    String name = names.contains(message) ? message : ignoringCase(names, message);
    String text = own.containsKey(name) ? own.get(name) : ofResource(name);
    if (text == null) {
      String advice = "for one of your own, set spark.sql.catalog.%s.plans".formatted(settings.catalog());
      throw new IllegalArgumentException("unknown message " + message + "; " + suggestion(names, message) + advice);
    }
    if (settings.plans().containsKey(name)) {
      checkSetting(settings.nameOfPlan(name), name, text);
    }
    return new Plan(name, text);
  }

  /** Return the names of all messages, except those in resources of other jars, which cannot be listed. */
  static Set<String> names(Settings settings) {
    Set<String> names = new TreeSet<>(PlanFiles.read(settings.planFiles()).keySet());
    names.addAll(settings.plans().keySet());
    names.addAll(ofKafka());
    return names;
  }

  /** Return the plan of a message from a resource of this jar or of another jar; null if no jar has it. */
  static String ofResource(String message) {
    if (!message.matches("\\w+")) {
      return null;
    }
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    for (ClassLoader loader : new ClassLoader[] {Plans.class.getClassLoader(), context}) {
      String text = loader == null ? null : read(loader.getResourceAsStream(FOLDER + message));
      if (text != null) {
        return text;
      }
    }
    return null;
  }

  /** Return the names of Kafka's messages. */
  static List<String> ofKafka() {
    String index = read(Plans.class.getResourceAsStream(INDEX));
    return index == null ? List.of() : index.lines().toList();
  }

  private static String read(InputStream resource) {
    if (resource == null) {
      return null;
    }
    try (resource) {
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String ignoringCase(Set<String> names, String message) {
    return names.stream().filter(name -> name.equalsIgnoreCase(message)).findFirst().orElse(message);
  }

  /** Return {@code did you mean ...?} with the most similar name, and a space; empty if no name is similar. */
  static String suggestion(Collection<String> names, String message) {
    String question = Native.suggestion(message, String.join("\n", names));
    return question.isEmpty() ? "" : question + " ";
  }

  /** Fail if the value of a setting is not the plan of the message in its name. */
  private static void checkSetting(String setting, String message, String text) {
    String found = messageOf(text);
    if (found == null) {
      throw new IllegalArgumentException(setting + " is not the plan of a message");
    }
    if (!found.equals(message)) {
      throw new IllegalArgumentException("%s has the plan of %s".formatted(setting, found));
    }
  }

  /**
   * Return the name of the message from the second line of a plan, such as {@code message OrderPlaced data 0-3}; null
   * for other texts.
   */
  static String messageOf(String text) {
    String[] words = text.lines().skip(1).findFirst().orElse("").split(" ");
    boolean isPlan = text.startsWith("messagegen-plan ") && words.length > 1 && words[0].equals("message");
    return isPlan ? words[1] : null;
  }
}
