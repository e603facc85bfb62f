package messagegen.spark;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A catalog with a function for each message: {@code spark.sql.catalog.kafka=messagegen.spark.Functions} makes {@code
 * kafka.OffsetCommitValue(value, version)} a function of SQL that turns bytes into a struct, and {@code
 * kafka.encode_OffsetCommitValue(message, version)} one that turns a struct into bytes.
 *
 * <p>Settings of the catalog are options of all its functions: {@code spark.sql.catalog.kafka.mode=PERMISSIVE}. Options
 * of one call stand before the name of the message: <code>kafka.`mode=PERMISSIVE`.OffsetCommitValue(value, 3)</code>.
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

  @Override
  public UnboundFunction loadFunction(Identifier identifier) {
    Native.require();
    String prefix = EncodeFunction.PREFIX;
    String name = identifier.name();
    boolean encodes = name.regionMatches(true, 0, prefix, 0, prefix.length());
    Map<String, String> options = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    options.putAll(settings.options());
    if (encodes) {
      EncodeFunction.OF_DECODING.forEach(options::remove);
    }
    for (String option : identifier.namespace()) {
      int end = option.indexOf('=');
      if (end < 0) {
        String text = "%s: expected an option such as `mode=PERMISSIVE` before the message, not `%s`";
        throw new IllegalArgumentException(text.formatted(settings.catalog(), option));
      }
      options.put(option.substring(0, end), option.substring(end + 1));
    }
    Plans.Plan plan = Plans.find(settings, encodes ? name.substring(prefix.length()) : name);
    options.put("message", plan.message());
    options.put("plan", plan.text());
    return encodes ? new EncodeFunction(plan, options) : new MessageFunction(plan, options);
  }
}
