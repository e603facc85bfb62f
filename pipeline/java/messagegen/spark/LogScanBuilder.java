package messagegen.spark;

import java.util.Arrays;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Takes the columns and the filters of a query. */
final class LogScanBuilder implements SupportsPushDownRequiredColumns, SupportsPushDownV2Filters {
  private final Query query;
  private StructType required;
  private final Bounds bounds = new Bounds();
  private Predicate[] pushed = {};

  LogScanBuilder(Query query, StructType schema) {
    this.query = query;
    required = schema;
  }

  @Override
  public void pruneColumns(StructType columns) {
    required = columns;
  }

  /** All of them: Spark applies them again, to rows that may still be outside. */
  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    pushed = bounds.take(predicates);
    return predicates;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed;
  }

  @Override
  public Scan build() {
    StructType all = query.schema();
    StructField[] fields = new StructField[required.size()];
    for (int i = 0; i < fields.length; i++) {
      StructField asked = required.fields()[i];
      StructField own = named(all, asked.name());
      DataType type = shared(own.dataType(), asked.dataType());
      if (type == null) {
        String text = "column %s has the type %s, not %s; ask for that type or for fewer of its fields, and cast after reading";
        String has = own.dataType().simpleString();
        throw new IllegalArgumentException(text.formatted(own.name(), has, asked.dataType().simpleString()));
      }
      fields[i] = new StructField(own.name(), type, true, own.metadata());
    }
    return new LogScan(query, new StructType(fields), bounds, Arrays.toString(pushed));
  }

  private static StructField named(StructType all, String name) {
    for (StructField field : all.fields()) {
      if (field.name().equalsIgnoreCase(name)) {
        return field;
      }
    }
    String names = String.join(", ", all.fieldNames());
    throw new IllegalArgumentException("kafka-log has no column " + name + "; its columns are " + names);
  }

  /** Our type with the fields that were asked for; null for another type, or fields in another order. */
  private static DataType shared(DataType own, DataType asked) {
    if (own instanceof StructType has && asked instanceof StructType wants) {
      StructType found = new StructType();
      int at = 0;
      for (StructField field : has.fields()) {
        if (at < wants.size() && wants.fields()[at].name().equalsIgnoreCase(field.name())) {
          DataType type = shared(field.dataType(), wants.fields()[at].dataType());
          if (type == null) {
            return null;
          }
          found = found.add(new StructField(field.name(), type, field.nullable(), field.metadata()));
          at++;
        }
      }
      return at == wants.size() ? found : null;
    }
    if (own instanceof ArrayType has && asked instanceof ArrayType wants) {
      DataType element = shared(has.elementType(), wants.elementType());
      return element == null ? null : new ArrayType(element, has.containsNull());
    }
    return own.asNullable().equals(asked.asNullable()) ? own : null;
  }
}
