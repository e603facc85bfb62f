package messagegen.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A function of a message before Spark knows its arguments: bytes, and mostly the version of each row. */
record MessageFunction(Plans.Plan plan, Map<String, String> options) implements UnboundFunction {
  private static final String VERSION = "version";

  // The digits that Spark's casts give to decimals of these types.
  private static final int INT_DIGITS = 10;
  private static final int LONG_DIGITS = 20;

  @Override
  public String name() {
    return plan.message();
  }

  @Override
  public String description() {
    return name() + "(value BINARY, version INT): the struct of a message of Kafka's format";
  }

  @Override
  public BoundFunction bind(StructType arguments) {
    StructField[] given = arguments.fields();
    boolean isComplete = given.length == 2 || given.length == 1;
    if (!isComplete || !isOf(given[0], BinaryType.class)) {
      throw new UnsupportedOperationException("expected bytes and a version: " + description());
    }
    String options = Query.json(this.options);
    StructType result = Comments.added(Program.of(options).resultType(), plan.text());
    String version = this.options.get(VERSION);
    if (given.length == 1) {
      return new Decode(name(), options, result, new DataType[] {DataTypes.BinaryType}, version);
    }
    if (version != null) {
      throw new UnsupportedOperationException("there is an option version, so values are the only argument");
    }
    if (!isOf(given[1], IntegralType.class)) {
      throw new UnsupportedOperationException("expected a version that is a whole number: " + description());
    }
    DataType[] types = {DataTypes.BinaryType, versionType(given[1])};
    return new Decode(name(), options, result, types, null);
  }

  /** Spark passes no null numbers, except decimal ones, which are objects. */
  static DataType versionType(StructField version) {
    boolean isLong = version.dataType() instanceof LongType;
    if (version.nullable()) {
      return DataTypes.createDecimalType(isLong ? LONG_DIGITS : INT_DIGITS, 0);
    }
    return isLong ? DataTypes.LongType : DataTypes.IntegerType;
  }

  /** Whether an argument has a type, or is null without a type. */
  static boolean isOf(StructField argument, Class<? extends DataType> type) {
    return type.isInstance(argument.dataType()) || argument.dataType() instanceof NullType;
  }
}
