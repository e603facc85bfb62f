package messagegen.spark;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.internal.SQLConf;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The settings of a catalog of functions, read when a function is looked up: a session may get more of them after its
 * first query.
 */
record Settings(String catalog) {
  private static final String PLAN = "plan.";
  private static final String PLANS = "plans";

  /** The options of all functions, by names in any case: the settings without those that are about plans. */
  Map<String, String> options() {
    Map<String, String> options = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    startingWith("")
        .forEach(
            (name, value) -> {
              if (!isAboutPlans(name)) {
                options.put(name, value);
              }
            });
    return options;
  }

  /** The texts of plans, by the name of the message. */
  Map<String, String> plans() {
    return startingWith(PLAN);
  }

  /** Files and folders of plans, with commas between them; empty for none. */
  String planFiles() {
    return startingWith("").getOrDefault(PLANS, "");
  }

  /** The name of the setting with the plan of a message. */
  String nameOfPlan(String message) {
    return prefix() + PLAN + message;
  }

  /** Fails for one in another case: messages may differ in nothing else, so these names count as they are written. */
  private boolean isAboutPlans(String name) {
    if (name.equals(PLANS) || name.startsWith(PLAN)) {
      return true;
    }
    String lowered = name.toLowerCase(Locale.ROOT);
    if (lowered.equals(PLANS) || lowered.startsWith(PLAN)) {
      String right = lowered.equals(PLANS) ? PLANS : PLAN + name.substring(PLAN.length());
      String text = "unknown setting %s; did you mean %s?";
      throw new IllegalArgumentException(text.formatted(prefix() + name, prefix() + right));
    }
    return false;
  }

  private String prefix() {
    return "spark.sql.catalog." + catalog + ".";
  }

  private Map<String, String> startingWith(String start) {
    String prefix = prefix() + start;
    Map<String, String> found = new TreeMap<>();
    CollectionConverters.asJava(SQLConf.get().getAllConfs())
        .forEach(
            (name, value) -> {
              if (name.startsWith(prefix)) {
                found.put(name.substring(prefix.length()), value);
              }
            });
    return found;
  }
}
