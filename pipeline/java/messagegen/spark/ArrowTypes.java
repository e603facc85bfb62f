package messagegen.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Spark's types as the native library fills them. Spark has this too, but with other parameters in each release. */
final class ArrowTypes {
  private static final Map<DataType, ArrowType> PLAIN =
      Map.of(
          DataTypes.BooleanType, ArrowType.Bool.INSTANCE,
          DataTypes.ByteType, new ArrowType.Int(8, true),
          DataTypes.ShortType, new ArrowType.Int(16, true),
          DataTypes.IntegerType, new ArrowType.Int(32, true),
          DataTypes.LongType, new ArrowType.Int(64, true),
          DataTypes.DoubleType, new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE),
          DataTypes.StringType, ArrowType.Utf8.INSTANCE,
          DataTypes.BinaryType, ArrowType.Binary.INSTANCE,
          DataTypes.TimestampType, new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC"));

  private ArrowTypes() {}

  /** Whether a message has arrays: Spark copies columns to rows element by element, with several calls for each. */
  static boolean needRows(StructType columns) {
    return Arrays.stream(columns.fields()).anyMatch(each -> each.name().equals(Query.MESSAGE) && hasArrays(each.dataType()));
  }

  private static boolean hasArrays(DataType type) {
    return type instanceof StructType struct
        ? Arrays.stream(struct.fields()).anyMatch(each -> hasArrays(each.dataType()))
        : !PLAIN.containsKey(type);
  }

  static Schema schema(StructType type) {
    return new Schema(fields(type));
  }

  private static List<Field> fields(StructType type) {
    return Arrays.stream(type.fields()).map(each -> field(each.name(), each.dataType(), each.nullable())).toList();
  }

  private static Field field(String name, DataType type, boolean nullable) {
    if (type instanceof StructType struct) {
      return make(name, ArrowType.Struct.INSTANCE, nullable, fields(struct));
    }
    if (type instanceof ArrayType array) {
      Field element = field("item", array.elementType(), array.containsNull());
      return make(name, ArrowType.List.INSTANCE, nullable, List.of(element));
    }
    return make(name, PLAIN.get(type), nullable, List.of());
  }

  private static Field make(String name, ArrowType type, boolean nullable, List<Field> children) {
    return new Field(name, new FieldType(nullable, type, null), children);
  }
}
