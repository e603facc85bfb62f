package messagegen.spark;

import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.CompositeReadLimit;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReadMaxBytes;
import org.apache.spark.sql.connector.read.streaming.ReadMaxRows;
import org.apache.spark.sql.connector.read.streaming.ReportsSourceMetrics;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;

/** Follows logs while brokers write to them; each micro-batch ends between record batches. */
final class LogStream implements MicroBatchStream, SupportsTriggerAvailableNow, ReportsSourceMetrics {
  private final LogScan scan;
  private final Bounds bounds;
  private long planner;
  private Offset ends;

  /** A Spark offset: the positions in all logs, as JSON. */
  private static final class Places extends Offset {
    private final String json;

    Places(String json) {
      this.json = json;
    }

    @Override
    public String json() {
      return json;
    }
  }

  LogStream(LogScan scan, Bounds bounds, long planner) {
    this.scan = scan;
    this.bounds = bounds;
    this.planner = planner;
  }

  @Override
  public synchronized Offset initialOffset() {
    return new Places(Native.initial(planner));
  }

  @Override
  public Offset latestOffset() {
    throw new UnsupportedOperationException("latestOffset(Offset, ReadLimit) should be called instead of this method");
  }

  @Override
  public ReadLimit getDefaultReadLimit() {
    return scan.readLimit();
  }

  @Override
  public synchronized Offset latestOffset(Offset start, ReadLimit limit) {
    long bytes = -1;
    long rows = -1;
    ReadLimit[] limits = limit instanceof CompositeReadLimit all ? all.getReadLimits() : new ReadLimit[] {limit};
    for (ReadLimit each : limits) {
      if (each instanceof ReadMaxBytes most) {
        bytes = most.maxBytes();
      }
      if (each instanceof ReadMaxRows most) {
        rows = most.maxRows();
      }
    }
    String[] found = Native.latest(planner, start.json(), bytes, rows);
    // Without new records, Spark plans no micro-batch.
    LogPartition.logWarnings(planner);
    ends = new Places(found[1]);
    return new Places(found[0]);
  }

  /** Return where the logs ended when the latest micro-batch was planned; null before the first one. */
  @Override
  public synchronized Offset reportLatestOffset() {
    return ends;
  }

  @Override
  public synchronized void prepareForTriggerAvailableNow() {
    Native.availableNow(planner);
  }

  @Override
  public Offset deserializeOffset(String json) {
    return new Places(json);
  }

  @Override
  public synchronized InputPartition[] planInputPartitions(Offset start, Offset end) {
    LogPartition[] partitions =
        LogPartition.of(planner, Native.between(planner, start.json(), end.json(), Query.json(bounds)));
    scan.keep(Planned.by(planner));
    return partitions;
  }

  /**
   * Return how far the stream is behind, for the query's progress; empty until the stream has first looked for data.
   */
  @Override
  public synchronized Map<String, String> metrics(Optional<Offset> latestConsumed) {
    long[] behind = planner == 0 ? new long[0] : Native.behind(planner);
    if (behind.length == 0) {
      return Map.of();
    }
    return Map.of(
        "partitions", Long.toString(behind[0]),
        "partitionsBehindLatest", Long.toString(behind[1]),
        "bytesBehindLatest", Long.toString(behind[2]));
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return scan.createReaderFactory();
  }

  @Override
  public void commit(Offset end) {
    // Nothing to do: Spark's checkpoint stores the positions.
  }

  @Override
  public synchronized void stop() {
    long closed = planner;
    planner = 0;
    Native.closePlanner(closed);
  }

  @Override
  public String toString() {
    return scan.description();
  }
}
