package messagegen.spark;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.SerializableConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A batch or streaming query, with its columns and bounds. */
final class LogScan implements Scan, SupportsReportStatistics, SupportsRuntimeV2Filtering {
  private static final Logger LOGGER = LoggerFactory.getLogger(LogScan.class);
  private static final String WITHOUT_SQL_PAGE =
      "the pages of stages show metrics as accumulators, and the SQL page has none, because the session added the jar"
          + " after Spark started; the setting spark.jars adds it before";
  private static final String ALL_COLUMNS =
      "this stream builds all columns, because Spark does not pass the columns of a stream's query to its source; name"
          + " the columns that the query needs in the option columns, such as offset,message.id";

  private final Query query;
  private final Required required;
  private final Bounds bounds;
  private final String pushed;

  /**
   * Whether Spark's SQL page shows metrics. This is determined while the query is planned, because a session is active
   * then.
   */
  private final boolean areMetricsOnSqlPage = Metrics.areOnSqlPage();

  /** The bounds of the next batch, with filters that Spark found while the query was running. */
  private Bounds boundsOfBatch;

  private LogPartition[] partitions;
  private Planned planned;
  private boolean isStream;

  LogScan(Query query, Required required, Bounds bounds, String pushed) {
    this.query = query;
    this.required = required;
    this.bounds = bounds;
    boundsOfBatch = bounds;
    this.pushed = pushed;
  }

  /** Return the limit for a micro-batch that the options set. */
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
    return query.description() + ", PushedFilters: " + pushed;
  }

  /**
   * Return whether Spark reads columns. It cannot if there are messages: these are rows, and a scan cannot mix rows and
   * columns.
   */
  @Override
  public ColumnarSupportMode columnarSupportMode() {
    boolean hasMessages = required.ours().getFieldIndex(Query.MESSAGE).isDefined();
    return hasMessages ? ColumnarSupportMode.UNSUPPORTED : ColumnarSupportMode.SUPPORTED;
  }

  /** Return the columns by which Spark may filter a running query, for example with the keys of a join. */
  @Override
  public NamedReference[] filterAttributes() {
    return Arrays.stream(required.schema().fieldNames())
        .filter(Bounds::isPlace)
        .map(Expressions::column)
        .toArray(NamedReference[]::new);
  }

  /** Narrow the bounds of the batch that Spark requests next. */
  @Override
  public synchronized void filter(Predicate[] predicates) {
    boundsOfBatch = bounds.copy();
    boundsOfBatch.take(predicates);
  }

  /**
   * Return a batch with the filters of the running query. A later batch has none of them, because another part of the
   * query may use this scan without them.
   */
  @Override
  public synchronized Batch toBatch() {
    Bounds ofBatch = boundsOfBatch;
    boundsOfBatch = bounds;
    return new LogBatch(this, ofBatch);
  }

  @Override
  public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
    if (!query.namesColumns() && required.ours().equals(query.schema())) {
      LOGGER.warn("{}: {}", KafkaLogSource.NAME, ALL_COLUMNS);
    }
    isStream = true;
    return new LogStream(this, bounds, query.openPlanner());
  }

  /** Return the tasks of a batch. */
  synchronized LogPartition[] plan(Bounds ofBatch) {
    if (ofBatch == bounds && partitions != null) {
      return partitions;
    }
    long planner = query.openPlanner();
    try {
      LogPartition[] found = LogPartition.of(planner, Native.plan(planner, Query.json(ofBatch)));
      keep(Planned.by(planner));
      if (ofBatch == bounds) {
        partitions = found;
      }
      return found;
    } finally {
      Native.closePlanner(planner);
    }
  }

  /** Keep the latest plan of the query or of a micro-batch, for the metrics. */
  synchronized void keep(Planned latest) {
    planned = latest;
    LOGGER.info("{}: {}", KafkaLogSource.NAME, latest);
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return areMetricsOnSqlPage ? Metrics.all() : new CustomMetric[0];
  }

  @Override
  public synchronized CustomTaskMetric[] reportDriverMetrics() {
    boolean isShown = areMetricsOnSqlPage && planned != null;
    return isShown ? Metrics.counted(Metrics.OF_PLAN, planned.counts()) : new CustomTaskMetric[0];
  }

  PartitionReaderFactory createReaderFactory() {
    SparkContext context = SparkSession.active().sparkContext();
    Broadcast<SerializableConfiguration> configuration = null;
    if (query.isRemote()) {
      JavaSparkContext ofJava = JavaSparkContext.fromSparkContext(context);
      configuration = ofJava.broadcast(new SerializableConfiguration(query.configuration()));
    }
    List<LongAccumulator> accumulators = List.of();
    if (!areMetricsOnSqlPage) {
      accumulators = Metrics.accumulators(context);
      LOGGER.info("{}: {}", KafkaLogSource.NAME, WITHOUT_SQL_PAGE);
    }
    return new LogReaderFactory(request(), required.ours(), configuration, accumulators);
  }

  /** Return the size of a batch. The size of a micro-batch is unknown here, and its logs may not exist yet. */
  @Override
  public Statistics estimateStatistics() {
    if (isStream) {
      return new Size(OptionalLong.empty(), OptionalLong.empty());
    }
    long bytes = Arrays.stream(plan(bounds)).mapToLong(LogPartition::bytes).sum();
    return new Size(OptionalLong.of(bytes), OptionalLong.empty());
  }

  private record Size(OptionalLong sizeInBytes, OptionalLong numRows) implements Statistics {}

  private String request() {
    return Query.json(new LogReaderFactory.Request(query.options(), required.ours().json(), bounds));
  }

  /** Compare scans, because Spark runs equal scans only once. */
  @Override
  public boolean equals(Object other) {
    return other instanceof LogScan scan && required.equals(scan.required) && request().equals(scan.request());
  }

  @Override
  public int hashCode() {
    return request().hashCode();
  }
}
