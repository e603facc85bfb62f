package messagegen.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The Arrow types of the columns that the native library fills. Spark also has such a conversion, but its parameters
 * differ from release to release.
 */
final class ArrowTypes {
  /**
   * The types that have no inner types. The table {@code plain_types} in {@code native/jni/src/spark_types.rs} has the
   * same rows.
   *
   * <p>The entry of a type with arguments includes the arguments: an unsigned 64-bit integer would be {@code
   * Map.entry(DataTypes.createDecimalType(20, 0), new ArrowType.Decimal(20, 0, 128))}. {@link LogVector} has a method
   * for each type here; Spark's {@code ArrowColumnVector} reads values of other types.
   */
  private static final Map<DataType, ArrowType> PLAIN =
      Map.ofEntries(
          Map.entry(DataTypes.BooleanType, ArrowType.Bool.INSTANCE),
          Map.entry(DataTypes.ByteType, new ArrowType.Int(8, true)),
          Map.entry(DataTypes.ShortType, new ArrowType.Int(16, true)),
          Map.entry(DataTypes.IntegerType, new ArrowType.Int(32, true)),
          Map.entry(DataTypes.LongType, new ArrowType.Int(64, true)),
          Map.entry(DataTypes.DoubleType, new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
          Map.entry(DataTypes.StringType, ArrowType.Utf8.INSTANCE),
          Map.entry(DataTypes.BinaryType, ArrowType.Binary.INSTANCE),
          Map.entry(DataTypes.TimestampType, new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC")));

  private ArrowTypes() {}

  /** Return the schema of batches with these columns. */
  static Schema schema(StructType columns) {
    return new Schema(fieldsOf(columns).map(ArrowTypes::column).toList());
  }

  /** Return the field of a column. Messages are binary, because each message is the bytes of a row. */
  private static Field column(StructField column) {
    if (column.name().equals(Query.MESSAGE)) {
      return make(column.name(), ArrowType.LargeBinary.INSTANCE, true, List.of());
    }
    return field(column.name(), column.dataType(), column.nullable());
  }

  private static List<Field> fields(StructType type) {
    return fieldsOf(type).map(field -> field(field.name(), field.dataType(), field.nullable())).toList();
  }

  private static Stream<StructField> fieldsOf(StructType type) {
    return Arrays.stream(type.fields());
  }

  private static Field field(String name, DataType type, boolean nullable) {
    if (type instanceof StructType struct) {
      return make(name, ArrowType.Struct.INSTANCE, nullable, fields(struct));
    }
    if (type instanceof ArrayType array) {
      Field element = field("item", array.elementType(), array.containsNull());
      return make(name, ArrowType.List.INSTANCE, nullable, List.of(element));
    }
    ArrowType plain = PLAIN.get(type);
    if (plain == null) {
      throw new IllegalArgumentException("column " + name + ": kafka-log has no values of type " + type.simpleString());
    }
    return make(name, plain, nullable, List.of());
  }

  private static Field make(String name, ArrowType type, boolean nullable, List<Field> children) {
    return new Field(name, new FieldType(nullable, type, null), children);
  }
}
