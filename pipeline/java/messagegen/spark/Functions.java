package messagegen.spark;

import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A catalog with two SQL functions for each message. With the setting {@code
 * spark.sql.catalog.kafka=messagegen.spark.Functions}, {@code kafka.OffsetCommitValue(value, version)} decodes bytes to
 * a struct, and {@code kafka.encode_OffsetCommitValue(message, version)} encodes a struct to bytes.
 *
 * <p>Settings of the catalog are options for all its functions: {@code spark.sql.catalog.kafka.mode=PERMISSIVE}.
 * Options for a single call precede the name of the message: <code>kafka.`mode=PERMISSIVE`.OffsetCommitValue(value,
 * 3)</code>.
 */
public final class Functions implements FunctionCatalog {
  private Settings settings;

  @Override
  public void initialize(String name, CaseInsensitiveStringMap options) {
    settings = new Settings(name);
  }

  @Override
  public String name() {
    return settings.catalog();
  }

  @Override
  public Identifier[] listFunctions(String[] namespace) {
    return Plans.names(settings).stream()
        .flatMap(name -> Stream.of(name, EncodeFunction.PREFIX + name))
        .map(name -> Identifier.of(namespace, name))
        .toArray(Identifier[]::new);
  }

  /**
   * Return the function for a message. For an unknown message, throw an exception that suggests similar names. It is
   * not a {@code NoSuchFunctionException}, because Spark would replace its text by a report of an undefined function.
   */
  @Override
  public UnboundFunction loadFunction(Identifier identifier) {
    Native.require();
    String prefix = EncodeFunction.PREFIX;
    String name = identifier.name();
    boolean encodes = name.regionMatches(true, 0, prefix, 0, prefix.length());
    Map<String, String> options = settings.options();
    if (encodes) {
      EncodeFunction.OF_DECODING.forEach(options::remove);
    }
    for (String option : identifier.namespace()) {
      put(option, options);
    }
    // An option without a value removes the setting.
    options.values().removeIf(String::isEmpty);
    Plans.Plan plan = Plans.find(settings, encodes ? name.substring(prefix.length()) : name);
    return encodes ? new EncodeFunction(plan, options) : new DecodeFunction(plan, options);
  }

  /** Add an option for a single call, such as {@code mode=PERMISSIVE}. */
  private void put(String option, Map<String, String> options) {
    int end = option.indexOf('=');
    if (end < 0) {
      String text = "%s: expected an option such as `mode=PERMISSIVE` before the message, not `%s`";
      throw new IllegalArgumentException(text.formatted(settings.catalog(), option));
    }
    options.put(option.substring(0, end).strip(), option.substring(end + 1).strip());
  }
}
