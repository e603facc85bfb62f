package messagegen.spark;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.TaskCompletionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A native reader, which is closed when its task ends. */
abstract class TaskReader implements PartitionReader<ColumnarBatch> {
  private static final Logger LOGGER = LoggerFactory.getLogger(TaskReader.class);

  /**
   * Hadoop's statistics of local files. Spark sets the input bytes of a task to the count of Hadoop's file systems on
   * the task's thread, even after the reader is closed. So changes to the task's own metrics would be lost.
   */
  @SuppressWarnings("deprecation") // Spark itself reads these statistics
  private static final FileSystem.Statistics LOCAL_FILES = FileSystem.getStatistics("file", LocalFileSystem.class);

  private final TaskContext task = TaskContext.get();

  /** The native memory that the task holds. */
  final HeldMemory memory = new HeldMemory(task.taskMemoryManager());

  /** The native handle; 0 once the reader is closed. */
  long handle;

  private final LogReaderFactory factory;
  private Tally tally;
  private long inputBytes;

  TaskReader(LogReaderFactory factory, long handle) {
    this.factory = factory;
    this.handle = handle;
    task.addTaskCompletionListener(
        (TaskCompletionListener)
            context -> {
              close();
              memory.end();
            });
  }

  /** Count the bytes read since the last call as input bytes of the task, which Spark shows. */
  void countInput() {
    // Hadoop's file systems count their own reads.
    if (factory.isLocal()) {
      long bytes = tally().bytes();
      LOCAL_FILES.incrementBytesRead(bytes - inputBytes);
      inputBytes = bytes;
    }
  }

  /** Return the current counts, or the final counts after the reader was closed. */
  private Tally tally() {
    if (handle != 0) {
      tally = Tally.of(Native.tally(handle));
    }
    return tally;
  }

  /** Return the counts of the task. Spark calls this method once more after the end. */
  @Override
  public synchronized CustomTaskMetric[] currentMetricsValues() {
    return Metrics.counted(Metrics.OF_TASKS, tally().counts());
  }

  @Override
  public synchronized void close() {
    if (handle == 0) {
      return;
    }
    long[] counts = tally().counts();
    Arrays.stream(Native.readWarnings(handle)).forEach(LOGGER::warn);
    long closed = handle;
    handle = 0;
    Native.closeReader(closed);
    List<LongAccumulator> accumulators = factory.accumulators();
    for (int i = 0; i < accumulators.size(); i++) {
      accumulators.get(i).add(counts[i]);
    }
    LOGGER.info("kafka-log: {}", tally);
  }
}
