package messagegen.spark;

import java.util.Arrays;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.util.TaskCompletionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A native reader, which ends with its task. */
abstract class TaskReader<T> implements PartitionReader<T> {
  private static final Logger LOGGER = LoggerFactory.getLogger(TaskReader.class);

  private final TaskContext task = TaskContext.get();

  /** What the task holds of the memory of the native library. */
  final HeldMemory memory = new HeldMemory(task.taskMemoryManager());

  /** 0 once it is closed. */
  long handle;

  TaskReader(long handle) {
    this.handle = handle;
    task.addTaskCompletionListener(
        (TaskCompletionListener)
            context -> {
              close();
              memory.end();
            });
  }

  /** What a reader read; the last three are rows that it left out. */
  private record Tally(
      long files, long bytes, long rows, long damagedBatches, long control, long uncommitted, long byMode) {
    /** The numbers of {@link Native#tally}. */
    static Tally of(long[] numbers) {
      return new Tally(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]);
    }

    @Override
    public String toString() {
      String read = rows + " rows, " + bytes + " bytes of " + files + " files; " + damagedBatches + " damaged batches";
      return read + "; left out: " + control + " control, " + uncommitted + " uncommitted, " + byMode + " by mode";
    }
  }

  @Override
  public synchronized void close() {
    if (handle == 0) {
      return;
    }
    Tally tally = Tally.of(Native.tally(handle));
    Arrays.stream(Native.readWarnings(handle)).forEach(LOGGER::warn);
    long closed = handle;
    handle = 0;
    Native.closeReader(closed);
    // Spark loads the classes of a source's own metrics where classes of the session are not known, so this uses its
    // standard ones.
    task.taskMetrics().inputMetrics().incBytesRead(tally.bytes());
    LOGGER.info("kafka-log: {}", tally);
  }
}
