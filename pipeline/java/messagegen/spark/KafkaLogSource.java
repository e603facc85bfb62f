package messagegen.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** {@code format("kafka-log")}: log segments of brokers as columns, in batches and streams. */
public final class KafkaLogSource implements TableProvider, DataSourceRegister {
  static final String NAME = "kafka-log";

  @Override
  public String shortName() {
    return NAME;
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return new Query(options.asCaseSensitiveMap(), Map.of()).schema();
  }

  /**
   * Accept a schema from the user, which selects columns and fields. Its nullability and the case of its names are
   * ignored.
   */
  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
    LogTable table = LogTable.of(NAME, properties);
    return new LogTable(NAME, properties, Required.of(table.schema(), schema).schema());
  }
}
