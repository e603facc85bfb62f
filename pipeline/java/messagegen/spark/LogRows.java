package messagegen.spark;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.StructType;

/** Reads rows with messages; a row is valid until the next row is read. */
final class LogRows implements PartitionReader<InternalRow> {
  private final LogBatches batches;
  private final LogRow row;
  private int count;
  private int next;

  LogRows(LogBatches batches, StructType columns) {
    this.batches = batches;
    int ordinal = columns.fieldIndex(Query.MESSAGE);
    row = new LogRow(ordinal, ((StructType) columns.apply(ordinal).dataType()).size());
  }

  @Override
  public boolean next() {
    // A batch is empty if the mode drops all its rows.
    while (next == count) {
      batches.closeBatch();
      if (!batches.next()) {
        return false;
      }
      row.setBatch(batches.get());
      count = batches.get().numRows();
      next = 0;
    }
    row.setRow(next++);
    return true;
  }

  @Override
  public InternalRow get() {
    return row;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return batches.currentMetricsValues();
  }

  @Override
  public void close() {
    count = next;
    batches.closeBatch();
    batches.close();
  }
}
