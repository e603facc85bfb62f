package messagegen.spark;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.internal.SQLConf;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The settings of a catalog. They are read at each lookup of a function or table, because a session may add settings
 * after its first query.
 */
record Settings(String catalog) {
  private static final String PLAN = "plan.";
  private static final String PLANS = "plans";

  /**
   * Return the options for all functions or tables, with case-insensitive names: all settings that are not about plans.
   */
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

  /** Return the plans in settings, by the name of the message. */
  Map<String, String> plans() {
    return startingWith(PLAN);
  }

  /** Return the comma-separated paths of plan files and folders; may be empty. */
  String planFiles() {
    return startingWith("").getOrDefault(PLANS, "");
  }

  /** Return the name of the setting that contains the plan of a message. */
  String nameOfPlan(String message) {
    return nameOf(PLAN + message);
  }

  /** Return the full name of a setting of the catalog. */
  String nameOf(String setting) {
    return "spark.sql.catalog." + catalog + "." + setting;
  }

  /**
   * Return whether a setting is about plans. Fails if its name only matches in a different case: message names may
   * differ only in case, so the names of these settings are case-sensitive.
   */
  private boolean isAboutPlans(String name) {
    if (name.equals(PLANS) || name.startsWith(PLAN)) {
      return true;
    }
    String lowered = name.toLowerCase(Locale.ROOT);
    if (lowered.equals(PLANS) || lowered.startsWith(PLAN)) {
      String right = lowered.equals(PLANS) ? PLANS : PLAN + name.substring(PLAN.length());
      String text = "unknown setting %s; did you mean %s?";
      throw new IllegalArgumentException(text.formatted(nameOf(name), nameOf(right)));
    }
    return false;
  }

  private Map<String, String> startingWith(String start) {
    String prefix = nameOf(start);
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
