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
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new UnsupportedOperationException("kafka-log reads columns");
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    Native.require();
    Configuration hadoop = configuration == null ? new Configuration(false) : configuration.value().value();
    String task = ((LogPartition) partition).task();
    return new LogReader(Native.openReader(task, request, new Storage(hadoop)), required);
  }
}
