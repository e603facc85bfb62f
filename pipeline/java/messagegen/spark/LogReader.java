package messagegen.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.TaskCompletionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the batches of one task; each owns its memory, and outlives the reader. */
final class LogReader implements PartitionReader<ColumnarBatch> {
  private static final Logger LOGGER = LoggerFactory.getLogger(LogReader.class);
  private static final int HEAD = 3;

  private final Schema schema;
  private final HeldMemory memory;
  private long handle;
  private final TaskContext task;
  private ColumnarBatch batch;

  LogReader(long handle, StructType required) {
    this.handle = handle;
    task = TaskContext.get();
    try {
      schema = ArrowTypes.schema(required);
      memory = new HeldMemory(task.taskMemoryManager());
      task.addTaskCompletionListener(
          (TaskCompletionListener)
              context -> {
                close();
                memory.end();
              });
    } catch (RuntimeException | Error problem) {
      close();
      throw problem;
    }
  }

  @Override
  public synchronized boolean next() {
    if (handle == 0) {
      return false;
    }
    long[] numbers = Native.next(handle);
    batch = numbers == null ? null : made(numbers);
    return batch != null;
  }

  @Override
  public ColumnarBatch get() {
    return batch;
  }

  @Override
  public synchronized void close() {
    if (handle != 0) {
      long[] tally = Native.tally(handle);
      Arrays.stream(Native.readWarnings(handle)).forEach(LOGGER::warn);
      long closed = handle;
      handle = 0;
      Native.closeReader(closed);
      report(tally);
    }
  }

  /** Spark loads the classes of a source's own metrics where classes of the session are not known, so this uses its standard ones. */
  private void report(long[] tally) {
    task.taskMetrics().inputMetrics().incBytesRead(tally[1]);
    String text = "kafka-log: {} rows, {} bytes of {} files; {} damaged batches; left out: {} control, {} uncommitted, {} by mode";
    LOGGER.info(text, tally[2], tally[1], tally[0], tally[3], tally[4], tally[5], tally[6]);
  }

  /** A batch of what {@link Native#next} gives. */
  private ColumnarBatch made(long[] numbers) {
    int rows = Math.toIntExact(numbers[0]);
    int nodes = Math.toIntExact(numbers[1]);
    int buffers = Math.toIntExact(numbers[2]);
    int at = HEAD;
    List<ArrowFieldNode> described = new ArrayList<>(nodes);
    for (int i = 0; i < nodes; i++, at += 2) {
      described.add(new ArrowFieldNode(numbers[at], numbers[at + 1]));
    }
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, HeldMemory.allocator());
    List<ArrowBuf> wrapped = new ArrayList<>(buffers);
    try {
      HeldMemory.Batch held = held(numbers, at);
      if (held != null) {
        held.own(root);
      }
      for (int i = 0; i < buffers; i++, at += HEAD) {
        boolean isEmpty = numbers[at + 2] == 0;
        wrapped.add(
            isEmpty ? HeldMemory.allocator().getEmpty() : held.wrap(numbers[at], numbers[at + 1], numbers[at + 2]));
      }
      try (ArrowRecordBatch loaded = new ArrowRecordBatch(rows, described, wrapped)) {
        new VectorLoader(root).load(loaded);
      }
    } catch (RuntimeException | Error problem) {
      for (; at < numbers.length; at += HEAD) {
        Native.release(numbers[at + 2]);
      }
      root.close();
      throw problem;
    } finally {
      wrapped.forEach(ArrowBuf::close);
    }
    ColumnVector[] columns = root.getFieldVectors().stream().map(LogVector::new).toArray(ColumnVector[]::new);
    return new ColumnarBatch(columns, rows);
  }

  private HeldMemory.Batch held(long[] numbers, int first) {
    long bytes = 0;
    int count = 0;
    for (int i = first; i < numbers.length; i += HEAD) {
      bytes += numbers[i + 1];
      count += numbers[i + 2] == 0 ? 0 : 1;
    }
    return count == 0 ? null : memory.new Batch(bytes, count);
  }
}
