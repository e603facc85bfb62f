package messagegen.spark;

import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/** A batch query, with the bounds of its scan and of filters that Spark found while the query was running. */
final class LogBatch implements Batch {
  private final LogScan scan;
  private final Bounds bounds;

  LogBatch(LogScan scan, Bounds bounds) {
    this.scan = scan;
    this.bounds = bounds;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    return scan.plan(bounds);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return scan.createReaderFactory();
  }

  /** Compare batches, because Spark runs equal batches only once. */
  @Override
  public boolean equals(Object other) {
    return other instanceof LogBatch batch
        && scan.equals(batch.scan)
        && Query.json(bounds).equals(Query.json(batch.bounds));
  }

  @Override
  public int hashCode() {
    return scan.hashCode();
  }
}
