package messagegen.spark;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A function that encodes a message, before its arguments are known. */
final class EncodeFunction extends MessageFunction {
  /** The prefix of the names of encoding functions. */
  static final String PREFIX = "encode_";

  /**
   * The options that only decoding functions have. Encoding functions ignore them if they are settings of a catalog.
   */
  static final Set<String> OF_DECODING =
      Set.of("versions", "fields", "names", "uuid", "unknownTaggedFields", "includeSecrets", "limits");

  EncodeFunction(Plans.Plan plan, Map<String, String> options) {
    super(plan, options);
  }

  @Override
  public String name() {
    return PREFIX + plan.message();
  }

  @Override
  public String description() {
    return name() + "(message STRUCT, version INT): the bytes of a message of Kafka's format";
  }

  @Override
  String expected() {
    return "a struct and a version";
  }

  @Override
  String inputs() {
    return "structs";
  }

  @Override
  StructType typeOf(StructField argument) {
    DataType given = argument.dataType();
    if (given instanceof StructType row) {
      return row;
    }
    if (given instanceof NullType) {
      return new StructType();
    }
    String text = "expected a struct such as named_struct('field', value), not %s: %s";
    throw new UnsupportedOperationException(text.formatted(given.sql(), description()));
  }

  @Override
  void checkWithoutVersion() {
    String text = "expected a version behind the struct, or the option `version=3`: " + description();
    throw new UnsupportedOperationException(text);
  }

  @Override
  Program.Source source(DataType type) {
    return Program.Source.ofEncoder(plan, options, type);
  }

  @Override
  BoundFunction call(Program.Source source, DataType[] inputTypes, Long version) {
    return new Encode(source, inputTypes, version, Encode.PERMISSIVE.equalsIgnoreCase(options.get("mode")));
  }
}
