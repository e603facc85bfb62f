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

  @Override
  public synchronized void close() {
    if (handle != 0) {
      long[] tally = Native.tally(handle);
      Arrays.stream(Native.readWarnings(handle)).forEach(LOGGER::warn);
      long closed = handle;
      handle = 0;
      Native.closeReader(closed);
      // Spark loads the classes of a source's own metrics where classes of the session are not known, so this uses its standard ones.
      task.taskMetrics().inputMetrics().incBytesRead(tally[1]);
      String text = "kafka-log: {} rows, {} bytes of {} files; {} damaged batches; left out: {} control, {} uncommitted, {} by mode";
      LOGGER.info(text, tally[2], tally[1], tally[0], tally[3], tally[4], tally[5], tally[6]);
    }
  }
}
