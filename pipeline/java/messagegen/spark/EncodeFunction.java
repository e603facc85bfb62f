package messagegen.spark;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A function that encodes a message before Spark knows its arguments: a struct, and mostly the version of each row. */
record EncodeFunction(Plans.Plan plan, Map<String, String> options) implements UnboundFunction {
  /** What the names of such functions begin with. */
  static final String PREFIX = "encode_";

  /** Options that only functions which decode have: as settings of a catalog, they are not about these functions. */
  static final Set<String> OF_DECODING =
      Set.of("versions", "fields", "names", "uuid", "unknownTaggedFields", "includeSecrets", "limits");

  private static final String VERSION = "version";

  @Override
  public String name() {
    return PREFIX + plan.message();
  }

  @Override
  public String description() {
    return name() + "(message STRUCT, version INT): the bytes of a message of Kafka's format";
  }

  @Override
  public BoundFunction bind(StructType arguments) {
    StructField[] given = arguments.fields();
    String version = options.get(VERSION);
    if (given.length == 0 || given.length > 2) {
      throw new UnsupportedOperationException("expected a struct and a version: " + description());
    }
    DataType row = rowType(given[0].dataType());
    if (given.length == 1) {
      if (version == null) {
        String text = "expected a version behind the struct, or the option `version=3`: " + description();
        throw new UnsupportedOperationException(text);
      }
      return new Encode(name(), options, new DataType[] {row});
    }
    if (version != null) {
      throw new UnsupportedOperationException("there is an option version, so structs are the only argument");
    }
    if (!MessageFunction.isOf(given[1], IntegralType.class)) {
      throw new UnsupportedOperationException("expected a version that is a whole number: " + description());
    }
    return new Encode(name(), options, new DataType[] {row, MessageFunction.versionType(given[1])});
  }

  private StructType rowType(DataType given) {
    if (given instanceof StructType row) {
      return row;
    }
    if (given instanceof NullType) {
      return new StructType();
    }
    String text = "expected a struct such as named_struct('field', value), not %s: %s";
    throw new UnsupportedOperationException(text.formatted(given.sql(), description()));
  }
}
