package messagegen.spark;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.connector.catalog.TableCatalog;

/**
 * The options of the tables of a catalog. Settings of the catalog are options of all tables; a JSON file has options of
 * single tables, which take precedence.
 */
final class TableOptions {
  /** The setting that names the file. */
  static final String FILE = "tables";

  private static final String EXAMPLE = "{\"orders\": {\"message\": \"OrderPlaced\", \"version\": 1}}";
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final Settings settings;
  private final Map<String, String> ofAll;
  private final Map<String, Map<String, String>> ofEach;

  /** Read the settings and the file. Fails without a path, and for settings that select topics for all tables. */
  TableOptions(Settings settings) {
    this.settings = settings;
    ofAll = settings.options();
    String file = ofAll.remove(FILE);
    ofEach = file == null ? Map.of() : read(file);
    String prefix = settings.nameOf("");
    if (!ofAll.containsKey("path") && !ofAll.containsKey("paths")) {
      throw new IllegalArgumentException(prefix + "path is not set; set it to the folder of the logs");
    }
    for (String option : Query.OF_TOPICS) {
      if (ofAll.containsKey(option)) {
        String text = "%s%s: the name of a table is its topic; set this option of single tables, in the file %s%s";
        throw new IllegalArgumentException(text.formatted(prefix, option, prefix, FILE));
      }
    }
  }

  /** Return the options of all tables. */
  Map<String, String> ofAll() {
    return ofAll;
  }

  /** Return the names of the tables in the file. */
  Set<String> names() {
    return ofEach.keySet();
  }

  /** Return the options of a table. Unless they select topics, the name of the table is the topic. */
  Map<String, String> of(String table) {
    Map<String, String> options = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    options.putAll(ofAll);
    options.putAll(ofEach.getOrDefault(table, Map.of()));
    // Spark adds this option to tables of its own catalog, and prefixes their options.
    if (options.containsKey(TableCatalog.PROP_PROVIDER)) {
      throw new IllegalArgumentException("kafka-log has no option " + TableCatalog.PROP_PROVIDER);
    }
    if (Query.OF_TOPICS.stream().noneMatch(options::containsKey)) {
      options.put(Query.OF_TOPICS.get(0), table);
    }
    String message = options.get(Query.MESSAGE);
    if (message != null && !options.containsKey(Query.PLAN)) {
      Plans.Plan plan = Plans.find(settings, message);
      options.put(Query.MESSAGE, plan.message());
      options.put(Query.PLAN, plan.text());
    }
    return options;
  }

  private static Map<String, Map<String, String>> read(String file) {
    String text = SettingFiles.at(FILE, file, SettingFiles::text);
    Map<String, Map<String, String>> tables = new TreeMap<>();
    try {
      for (Map.Entry<String, JsonNode> table : fields(file, JSON.readTree(text))) {
        tables.put(table.getKey(), options(file, table.getKey(), table.getValue()));
      }
      return tables;
    } catch (JsonProcessingException wrong) {
      throw unexpected(file, wrong.getOriginalMessage());
    }
  }

  private static Map<String, String> options(String file, String table, JsonNode given) {
    Map<String, String> options = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (Map.Entry<String, JsonNode> option : fields(file, given)) {
      JsonNode value = option.getValue();
      if (!value.isValueNode() || value.isNull()) {
        String text = "%s: %s: table %s: option %s: expected a string, a number, true or false, found %s";
        throw new IllegalArgumentException(text.formatted(FILE, file, table, option.getKey(), value));
      }
      options.put(option.getKey(), value.asText());
    }
    return options;
  }

  private static Set<Map.Entry<String, JsonNode>> fields(String file, JsonNode object) {
    if (!object.isObject()) {
      throw unexpected(file, "found " + object);
    }
    return object.properties();
  }

  private static IllegalArgumentException unexpected(String file, String problem) {
    String text = "%s: %s: expected JSON such as %s: %s";
    return new IllegalArgumentException(text.formatted(FILE, file, EXAMPLE, problem));
  }
}
