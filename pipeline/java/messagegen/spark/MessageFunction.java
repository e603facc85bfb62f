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
 * A function of a message before Spark knows its arguments: what it converts, and mostly the version of each row.
 *
 * <p>Spark shows the text of an {@code UnsupportedOperationException} with the function and the types of the arguments.
 */
abstract class MessageFunction implements UnboundFunction {
  private static final String VERSION = "version";

  // The digits that Spark's casts give to decimals of these types.
  private static final int INT_DIGITS = 10;
  private static final int LONG_DIGITS = 20;

  final Plans.Plan plan;
  final Map<String, String> options;

  MessageFunction(Plans.Plan plan, Map<String, String> options) {
    this.plan = plan;
    this.options = options;
  }

  /** What the arguments have to be, for errors. */
  abstract String expected();

  /** What the first arguments of all rows are called in errors. */
  abstract String inputs();

  /** The type that Spark casts the first argument to. Fails for one that cannot be converted. */
  abstract DataType typeOf(StructField argument);

  /** What the function is made of, by the type of its first argument. */
  abstract Program.Source source(DataType type);

  /** The function with arguments of these types; {@code version} is null if each row or value has its own. */
  abstract BoundFunction call(Program.Source source, DataType[] inputTypes, Long version);

  /** Fails if rows must have versions. There is neither an argument nor an option for them. */
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
    // Wrong options fail here, a version that is not a number too.
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

  /** Whether an argument has a type, or is null without a type. */
  static boolean isOf(StructField argument, Class<? extends DataType> type) {
    return type.isInstance(argument.dataType()) || argument.dataType() instanceof NullType;
  }

  /** Spark passes no null numbers, except decimal ones, which are objects. */
  private static DataType versionType(StructField version) {
    boolean isLong = version.dataType() instanceof LongType;
    if (version.nullable()) {
      return DataTypes.createDecimalType(isLong ? LONG_DIGITS : INT_DIGITS, 0);
    }
    return isLong ? DataTypes.LongType : DataTypes.IntegerType;
  }
}
