package messagegen.spark;

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

  /** The options of all functions: the settings without those that are about plans. */
  Map<String, String> options() {
    Map<String, String> options = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    options.putAll(startingWith(""));
    options.keySet().removeIf(name -> name.equalsIgnoreCase(PLANS) || name.startsWith(PLAN));
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

  private Map<String, String> startingWith(String start) {
    String prefix = "spark.sql.catalog." + catalog + "." + start;
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
