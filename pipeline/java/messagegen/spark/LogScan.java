package messagegen.spark;

import java.util.Arrays;
import java.util.OptionalLong;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;

/** The columns and bounds of one query: in batches or as a stream. */
final class LogScan implements Scan, Batch, SupportsReportStatistics {
  private final Query query;
  private final Required required;
  private final Bounds bounds;
  private final String pushed;
  private LogPartition[] planned;

  LogScan(Query query, Required required, Bounds bounds, String pushed) {
    this.query = query;
    this.required = required;
    this.bounds = bounds;
    this.pushed = pushed;
  }

  /** What one micro-batch reads at most, by the options. */
  ReadLimit readLimit() {
    long[] limits = Native.limits(query.options());
    long bytes = limits[0];
    long offsets = limits[1];
    if (offsets >= 0) {
      return ReadLimit.maxRows(offsets);
    }
    return bytes >= 0 ? ReadLimit.maxBytes(bytes) : ReadLimit.allAvailable();
  }

  @Override
  public StructType readSchema() {
    return required.schema();
  }

  @Override
  public String description() {
    return KafkaLogSource.NAME + ", PushedFilters: " + pushed;
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ArrowTypes.needRows(required.ours()) ? ColumnarSupportMode.UNSUPPORTED : ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
    return new LogStream(this, bounds, query.openPlanner());
  }

  @Override
  public synchronized InputPartition[] planInputPartitions() {
    if (planned == null) {
      long planner = query.openPlanner();
      try {
        planned = LogPartition.of(planner, Native.plan(planner, Query.json(bounds)));
      } finally {
        Native.closePlanner(planner);
      }
    }
    return planned;
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    Broadcast<SerializableConfiguration> configuration = null;
    if (query.isRemote()) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(SparkSession.active().sparkContext());
      configuration = context.broadcast(new SerializableConfiguration(query.configuration()));
    }
    return new LogReaderFactory(request(), required.ours(), configuration);
  }

  @Override
  public Statistics estimateStatistics() {
    planInputPartitions();
    long bytes = Arrays.stream(planned).mapToLong(LogPartition::bytes).sum();
    return new Size(OptionalLong.of(bytes), OptionalLong.empty());
  }

  private record Size(OptionalLong sizeInBytes, OptionalLong numRows) implements Statistics {}

  private String request() {
    return Query.json(new LogReaderFactory.Request(query.options(), required.ours().json(), bounds));
  }

  /** Spark reads what two scans have in common once. */
  @Override
  public boolean equals(Object other) {
    return other instanceof LogScan scan && required.equals(scan.required) && request().equals(scan.request());
  }

  @Override
  public int hashCode() {
    return request().hashCode();
  }
}
