package messagegen.spark;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
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
    Query query = new Query(properties, Map.of());
    StructType required = Required.of(query.schema(), schema).schema();
    query.checkPaths();
    return new LogTable(properties, required);
  }

  /** The table. It implements the deprecated {@code schema()}, from which Spark derives {@code columns()}. */
  @SuppressWarnings("deprecation")
  private record LogTable(Map<String, String> properties, StructType schema) implements Table, SupportsRead {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Set<TableCapability> capabilities() {
      return EnumSet.of(TableCapability.BATCH_READ, TableCapability.MICRO_BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return new LogScanBuilder(new Query(properties, options.asCaseSensitiveMap()), schema);
    }
  }
}
