package messagegen.spark;

import java.util.List;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Spark's types as the native library fills them. */
final class ArrowTypes {
  private ArrowTypes() {}

  static Schema schema(StructType type) {
    return new Schema(fields(type));
  }

  private static List<Field> fields(StructType type) {
    return java.util.Arrays.stream(type.fields()).map(ArrowTypes::field).toList();
  }

  private static Field field(StructField field) {
    return field(field.name(), field.dataType(), field.nullable());
  }

  private static Field field(String name, DataType type, boolean nullable) {
    if (type instanceof StructType struct) {
      return make(name, ArrowType.Struct.INSTANCE, nullable, fields(struct));
    }
    if (type instanceof ArrayType array) {
      Field element = field("item", array.elementType(), array.containsNull());
      return make(name, ArrowType.List.INSTANCE, nullable, List.of(element));
    }
    if (type instanceof MapType map) {
      List<Field> pair =
          List.of(
              field(MapVector.KEY_NAME, map.keyType(), false),
              field(MapVector.VALUE_NAME, map.valueType(), map.valueContainsNull()));
      Field entries = make(MapVector.DATA_VECTOR_NAME, ArrowType.Struct.INSTANCE, false, pair);
      return make(name, new ArrowType.Map(false), nullable, List.of(entries));
    }
    return make(name, plain(type), nullable, List.of());
  }

  private static Field make(String name, ArrowType type, boolean nullable, List<Field> children) {
    return new Field(name, new FieldType(nullable, type, null), children);
  }

  private static ArrowType plain(DataType type) {
    if (type.equals(DataTypes.BooleanType)) {
      return ArrowType.Bool.INSTANCE;
    } else if (type.equals(DataTypes.ByteType)) {
      return new ArrowType.Int(8, true);
    } else if (type.equals(DataTypes.ShortType)) {
      return new ArrowType.Int(16, true);
    } else if (type.equals(DataTypes.IntegerType)) {
      return new ArrowType.Int(32, true);
    } else if (type.equals(DataTypes.LongType)) {
      return new ArrowType.Int(64, true);
    } else if (type.equals(DataTypes.DoubleType)) {
      return new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    } else if (type.equals(DataTypes.StringType)) {
      return ArrowType.Utf8.INSTANCE;
    } else if (type.equals(DataTypes.BinaryType)) {
      return ArrowType.Binary.INSTANCE;
    } else if (type.equals(DataTypes.TimestampType)) {
      return new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC");
    }
    throw new IllegalArgumentException("kafka-log has no columns of type " + type.sql());
  }
}
