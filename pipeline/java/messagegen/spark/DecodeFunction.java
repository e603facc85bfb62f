package messagegen.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A function that decodes a message, before its arguments are known. Values may begin with their versions. */
final class DecodeFunction extends MessageFunction {
  DecodeFunction(Plans.Plan plan, Map<String, String> options) {
    super(plan, options);
  }

  @Override
  public String name() {
    return plan.message();
  }

  @Override
  public String description() {
    return name() + "(value BINARY, version INT): the struct of a message of Kafka's format";
  }

  @Override
  String expected() {
    return "bytes and a version";
  }

  @Override
  String inputs() {
    return "values";
  }

  @Override
  DataType typeOf(StructField argument) {
    if (!isOf(argument, BinaryType.class)) {
      throw new UnsupportedOperationException("expected " + expected() + ": " + description());
    }
    return DataTypes.BinaryType;
  }

  @Override
  void checkWithoutVersion() {
    // No version is required, because each value begins with its version.
  }

  @Override
  Program.Source source(DataType type) {
    return Program.Source.ofDecoder(plan, options);
  }

  @Override
  BoundFunction call(Program.Source source, DataType[] inputTypes, Long version) {
    StructType result = Comments.added(Program.of(source).resultType(), plan.text());
    return new Decode(source, inputTypes, version, result);
  }
}
