package messagegen.spark;

import java.util.Arrays;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;

/** Collects the columns and the filters of a query. */
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

  /** Return all filters: Spark must still apply them itself, because rows outside the bounds may be read. */
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
    return new LogScan(query, Required.of(query.schema(), required), bounds, Arrays.toString(pushed));
  }
}
