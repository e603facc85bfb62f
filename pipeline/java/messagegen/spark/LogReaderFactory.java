package messagegen.spark;

import org.apache.hadoop.conf.Configuration;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.SerializableConfiguration;

/** Makes the readers of tasks; it goes to executors. */
record LogReaderFactory(String request, StructType required, Broadcast<SerializableConfiguration> configuration)
    implements PartitionReaderFactory {
  /** What all tasks read: options and columns as JSON. */
  record Request(String options, String required, Bounds filters) {}

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new LogRows(required.size(), open(partition));
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    return new LogBatches(ArrowTypes.schema(required), open(partition));
  }

  private long open(InputPartition partition) {
    Native.require();
    Configuration hadoop = configuration == null ? new Configuration(false) : configuration.value().value();
    return Native.openReader(((LogPartition) partition).task(), request, new Storage(hadoop));
  }
}
