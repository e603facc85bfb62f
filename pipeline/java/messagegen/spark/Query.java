package messagegen.spark;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** The options of a query, in the form that the native library expects. Only for drivers. */
final class Query {
  static final String MESSAGE = "message";
  static final String PLAN = "plan";

  /** The options that select topics. */
  static final List<String> OF_TOPICS = List.of("topics", "subscribe", "topicsPattern", "subscribePattern", "assign");

  private static final String COLUMNS = "columns";
  private static final ObjectMapper JSON = new ObjectMapper().setVisibility(PropertyAccessor.FIELD, Visibility.ANY);

  private final String plan;
  private final String options;
  private final boolean namesColumns;
  private final String description;
  private final Configuration configuration;

  /** Merge the options of a query into the options of its table. Fails for a message without a plan in the jar. */
  Query(Map<String, String> table, Map<String, String> given) {
    Native.require();
    configuration = SparkSession.active().sessionState().newHadoopConf();
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(table);
    all.putAll(given);
    // For a table, Spark passes the options with this prefix.
    String prefix = all.containsKey("provider") ? "option." : "";
    given.forEach((name, value) -> all.put(prefix + name, value));
    String message = all.get(prefix + MESSAGE);
    if (message != null && !all.containsKey(prefix + PLAN)) {
      all.put(prefix + PLAN, plan(message));
    }
    plan = message == null ? null : all.get(prefix + PLAN);
    all.replaceAll(this::qualified);
    namesColumns = all.containsKey(prefix + COLUMNS);
    options = json(all);
    description = Description.of(paths(all), all, prefix);
  }

  /** Return the options as JSON. */
  String options() {
    return options;
  }

  /** Return whether the options name the columns. */
  boolean namesColumns() {
    return namesColumns;
  }

  /** Return the paths and the most important options, for people. */
  String description() {
    return description;
  }

  /** Create a native planner; the caller closes it. */
  long openPlanner() {
    int cores = SparkSession.active().sparkContext().defaultParallelism();
    return Native.openPlanner(options, cores, new Storage(configuration));
  }

  /** Fail without a path, and if nothing exists at a path that is not a pattern. */
  void checkPaths() {
    long planner = openPlanner();
    try {
      Native.checkPaths(planner);
    } finally {
      Native.closePlanner(planner);
    }
  }

  /** Return the names of all topics at the paths. */
  List<String> topics() {
    long planner = openPlanner();
    try {
      return List.of(Native.topics(planner));
    } finally {
      Native.closePlanner(planner);
    }
  }

  Configuration configuration() {
    return configuration;
  }

  /** Return whether tasks need Hadoop's configuration. Only remote paths still have a scheme. */
  boolean isRemote() {
    return options.contains("://");
  }

  /** Return all columns for the options; all of them are nullable. The fields of a message have comments. */
  StructType schema() {
    StructType schema = (StructType) DataType.fromJson(Native.schema(options));
    return plan == null ? schema : Comments.addedToColumn(schema, MESSAGE, plan);
  }

  /** Return an object with all its fields as JSON, for the native library. */
  static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static String plan(String message) {
    String plan = Plans.ofResource(message);
    if (plan == null) {
      String advice = Plans.suggestion(Plans.ofKafka(), message) + "for one of your own, also pass its plan";
      throw new IllegalArgumentException("option message: unknown message " + message + "; " + advice);
    }
    return plan;
  }

  /** Return the path in the option {@code path} and the paths in the JSON list {@code paths}. */
  private static List<String> paths(Map<String, String> options) {
    List<String> found = new ArrayList<>();
    if (options.containsKey("path")) {
      found.add(options.get("path"));
    }
    if (options.containsKey("paths")) {
      try {
        found.addAll(List.of(JSON.readValue(options.get("paths"), String[].class)));
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
    return found;
  }

  private String qualified(String name, String value) {
    try {
      if (name.equalsIgnoreCase("path")) {
        return Storage.qualified(value, configuration);
      }
      // Spark passes several paths as a JSON list.
      if (name.equalsIgnoreCase("paths")) {
        String[] paths = JSON.readValue(value, String[].class);
        for (int i = 0; i < paths.length; i++) {
          paths[i] = Storage.qualified(paths[i], configuration);
        }
        return json(paths);
      }
      return value;
    } catch (IOException | IllegalArgumentException wrong) {
      throw new IllegalArgumentException("option " + name + ": " + wrong.getMessage(), wrong);
    }
  }
}
