package messagegen.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * A function for a message, before the types of its arguments are known: the input, and usually the version of each
 * row.
 *
 * <p>If it throws an {@code UnsupportedOperationException}, Spark shows the text together with the function and the
 * types of the arguments.
 */
abstract class MessageFunction implements UnboundFunction {
  private static final String VERSION = "version";

  // Spark casts nullable versions to decimals with this precision, depending on the type of the versions.
  private static final int INT_DIGITS = 10;
  private static final int LONG_DIGITS = 20;

  final Plans.Plan plan;
  final Map<String, String> options;

  MessageFunction(Plans.Plan plan, Map<String, String> options) {
    this.plan = plan;
    this.options = options;
  }

  /** Return the expected arguments, for errors. */
  abstract String expected();

  /** Return the plural name of the first argument, for errors. */
  abstract String inputs();

  /** Return the type to which Spark casts the first argument. Fails for an argument that cannot be converted. */
  abstract DataType typeOf(StructField argument);

  /** Return the source of the native program, given the type of the first argument. */
  abstract Program.Source source(DataType type);

  /**
   * Return the function for arguments of these types; {@code version} is null if each row or value has its own version.
   */
  abstract BoundFunction call(Program.Source source, DataType[] inputTypes, Long version);

  /**
   * Fail if the function needs a version. This method is called if neither an argument nor an option sets a version.
   */
  abstract void checkWithoutVersion();

  @Override
  public final BoundFunction bind(StructType arguments) {
    StructField[] given = arguments.fields();
    if (given.length == 0 || given.length > 2) {
      throw new UnsupportedOperationException("expected " + expected() + ": " + description());
    }
    DataType first = typeOf(given[0]);
    String version = options.get(VERSION);
    if (given.length == 1 && version == null) {
      checkWithoutVersion();
    }
    if (given.length == 2) {
      checkVersion(given[1], version);
    }
    Program.Source source = source(first);
    // Invalid options fail here, for example a version that is not a number.
    Program.of(source);
    if (given.length == 1) {
      return call(source, new DataType[] {first}, version == null ? null : Long.valueOf(version));
    }
    return call(source, new DataType[] {first, versionType(given[1])}, null);
  }

  private void checkVersion(StructField argument, String option) {
    if (option != null) {
      String text = "there is an option version, so %s are the only argument";
      throw new UnsupportedOperationException(text.formatted(inputs()));
    }
    if (!isOf(argument, IntegralType.class)) {
      throw new UnsupportedOperationException("expected a version that is a whole number: " + description());
    }
  }

  /** Return whether an argument has the given type, or is an untyped null. */
  static boolean isOf(StructField argument, Class<? extends DataType> type) {
    return type.isInstance(argument.dataType()) || argument.dataType() instanceof NullType;
  }

  /**
   * Return the type to which Spark casts the version. Nullable versions become decimals, because Spark passes null
   * only as an object.
   */
  private static DataType versionType(StructField version) {
    boolean isLong = version.dataType() instanceof LongType;
    if (version.nullable()) {
      return DataTypes.createDecimalType(isLong ? LONG_DIGITS : INT_DIGITS, 0);
    }
    return isLong ? DataTypes.LongType : DataTypes.IntegerType;
  }
}
