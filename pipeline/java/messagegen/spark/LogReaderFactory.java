package messagegen.spark;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Creates the readers for tasks; Spark sends it to executors. The accumulators are for {@link Metrics#OF_TASKS}. There
 * are no accumulators if Spark's SQL page shows the metrics.
 */
record LogReaderFactory(
    String request,
    StructType required,
    Broadcast<SerializableConfiguration> configuration,
    List<LongAccumulator> accumulators)
    implements PartitionReaderFactory {
  /** The part of a request that all tasks share: the options, the columns as JSON, and the filters. */
  record Request(String options, String required, Bounds filters) {}

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new LogRows(createColumnarReader(partition), required);
  }

  @Override
  public LogBatches createColumnarReader(InputPartition partition) {
    Native.require();
    Configuration hadoop = isLocal() ? new Configuration(false) : configuration.value().value();
    return new LogBatches(this, Native.openReader(((LogPartition) partition).task(), request, new Storage(hadoop)));
  }

  /** Return whether the native library reads all files itself, without Hadoop. */
  boolean isLocal() {
    return configuration == null;
  }
}
