package messagegen.spark;

import java.util.HashSet;
import java.util.Set;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The columns and fields that a query requires, in its order and with our types and nullability.
 *
 * <p>There are two schemas, which differ only in the case of names.
 *
 * @param schema with the requested names, for Spark
 * @param ours with our names, for the native library
 */
record Required(StructType schema, StructType ours) {
  /**
   * Return the required schemas. Fails if a column or field is unknown, is requested twice, or is requested with a
   * different type.
   */
  static Required of(StructType own, StructType requested) {
    StructField[] schema = new StructField[requested.size()];
    StructField[] ours = new StructField[requested.size()];
    Set<StructField> taken = new HashSet<>();
    for (int i = 0; i < schema.length; i++) {
      StructField wanted = requested.fields()[i];
      StructField column = taken(own, wanted.name(), taken);
      if (column == null) {
        String columns = String.join(", ", own.fieldNames());
        // Spark also calls this method when a DataFrame is written to kafka-log.
        String text =
            "kafka-log has no column %s; its columns are %s; it cannot be written, and options of a query cannot change"
                + " the columns of a table";
        throw new IllegalArgumentException(text.formatted(wanted.name(), columns));
      }
      DataType type = shared(column.dataType(), wanted.dataType(), true);
      if (type == null) {
        String has = column.dataType().simpleString();
        String not = wanted.dataType().simpleString();
        String text = "column %s has the type %s, not %s".formatted(column.name(), has, not);
        String advice = "ask for that type or for fewer of its fields, and cast after reading";
        throw new IllegalArgumentException(text + "; " + advice);
      }
      DataType typeForSpark = shared(column.dataType(), wanted.dataType(), false);
      ours[i] = new StructField(column.name(), type, true, wanted.metadata());
      schema[i] = new StructField(wanted.name(), typeForSpark, true, wanted.metadata());
    }
    return new Required(new StructType(schema), new StructType(ours));
  }

  /**
   * Return the unused field with this name, or else with this name in a different case; null if no field matches.
   *
   * <p>A message may have fields whose names differ only in case.
   */
  private static StructField taken(StructType all, String name, Set<StructField> taken) {
    StructField found = null;
    for (StructField field : all.fields()) {
      boolean isBetter = found == null || field.name().equals(name);
      if (isBetter && field.name().equalsIgnoreCase(name) && !taken.contains(field)) {
        found = field;
      }
    }
    if (found != null) {
      taken.add(found);
    }
    return found;
  }

  /**
   * Return our type with only the requested fields, in the requested order; null if the type differs or a field is
   * unknown.
   */
  private static DataType shared(DataType own, DataType requested, boolean hasOurNames) {
    if (own instanceof StructType has && requested instanceof StructType wants) {
      return sharedFields(has, wants, hasOurNames);
    }
    if (own instanceof ArrayType has && requested instanceof ArrayType wants) {
      DataType element = shared(has.elementType(), wants.elementType(), hasOurNames);
      return element == null ? null : new ArrayType(element, has.containsNull());
    }
    return own.asNullable().equals(requested.asNullable()) ? own : null;
  }

  private static StructType sharedFields(StructType own, StructType requested, boolean hasOurNames) {
    StructField[] fields = new StructField[requested.size()];
    Set<StructField> taken = new HashSet<>();
    for (int i = 0; i < fields.length; i++) {
      StructField wanted = requested.fields()[i];
      StructField field = taken(own, wanted.name(), taken);
      DataType type = field == null ? null : shared(field.dataType(), wanted.dataType(), hasOurNames);
      if (type == null) {
        return null;
      }
      String name = hasOurNames ? field.name() : wanted.name();
      fields[i] = new StructField(name, type, field.nullable(), wanted.metadata());
    }
    return new StructType(fields);
  }
}
