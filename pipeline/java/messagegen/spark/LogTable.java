package messagegen.spark;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Logs as a table, for batches and streams. It implements the deprecated {@code schema()}, from which Spark derives
 * {@code columns()}.
 */
@SuppressWarnings("deprecation")
record LogTable(String name, Map<String, String> options, StructType schema) implements Table, SupportsRead {
  /** Return the table with all columns for the options. Fails without a path, and if nothing exists at a path. */
  static LogTable of(String name, Map<String, String> options) {
    Query query = new Query(options, Map.of());
    StructType schema = query.schema();
    query.checkPaths();
    return new LogTable(name, options, schema);
  }

  /** Return what {@code DESCRIBE TABLE EXTENDED} shows: the options without the text of the plan. */
  @Override
  public Map<String, String> properties() {
    Map<String, String> shown = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    shown.putAll(options);
    shown.remove(Query.PLAN);
    shown.put(TableCatalog.PROP_PROVIDER, KafkaLogSource.NAME);
    // Without this property, Spark shows the type MANAGED.
    shown.put(TableCatalog.PROP_EXTERNAL, "true");
    return shown;
  }

  @Override
  public Set<TableCapability> capabilities() {
    return EnumSet.of(TableCapability.BATCH_READ, TableCapability.MICRO_BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap given) {
    return new LogScanBuilder(new Query(options, given.asCaseSensitiveMap()), schema);
  }
}
