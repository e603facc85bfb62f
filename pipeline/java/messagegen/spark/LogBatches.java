package messagegen.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads columns in batches, each of which owns its memory and may outlive the reader. */
final class LogBatches extends TaskReader {
  // The positions in the result of `Native.next`. The first three numbers are followed by two numbers for each node and
  // then two numbers for each buffer.
  private static final int HANDLE = 0;
  private static final int ROWS = 1;
  private static final int NODE_COUNT = 2;
  private static final int FIRST_NODE = 3;
  private static final int PAIR = 2;

  private final Schema schema;
  private ColumnarBatch batch;

  LogBatches(LogReaderFactory factory, long handle) {
    super(factory, handle);
    schema = ArrowTypes.schema(factory.required());
  }

  @Override
  public synchronized boolean next() {
    batch = null;
    if (handle != 0) {
      long[] numbers = Native.next(handle);
      countInput();
      batch = numbers == null ? null : batchOf(numbers);
    }
    return batch != null;
  }

  @Override
  public ColumnarBatch get() {
    return batch;
  }

  /** Free the memory of the latest batch, if any. Spark only closes the batches that it receives itself. */
  void closeBatch() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
  }

  /** Create a batch from the result of {@link Native#next}. */
  private ColumnarBatch batchOf(long[] numbers) {
    int rows = Math.toIntExact(numbers[ROWS]);
    int firstBuffer = FIRST_NODE + PAIR * Math.toIntExact(numbers[NODE_COUNT]);
    List<ArrowFieldNode> nodes = new ArrayList<>();
    for (int at = FIRST_NODE; at < firstBuffer; at += PAIR) {
      long length = numbers[at];
      long nulls = numbers[at + 1];
      nodes.add(new ArrowFieldNode(length, nulls));
    }
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, HeldMemory.allocator());
    List<ArrowBuf> wrapped = new ArrayList<>();
    HeldMemory.Batch held = memory.new Batch(numbers[HANDLE], root);
    try {
      for (int at = firstBuffer; at < numbers.length; at += PAIR) {
        long address = numbers[at];
        long size = numbers[at + 1];
        wrapped.add(size == 0 ? HeldMemory.allocator().getEmpty() : held.wrap(address, size));
      }
      try (ArrowRecordBatch loaded = new ArrowRecordBatch(rows, nodes, wrapped)) {
        new VectorLoader(root).load(loaded);
      }
    } catch (RuntimeException | Error problem) {
      root.close();
      throw problem;
    } finally {
      wrapped.forEach(ArrowBuf::close);
      held.release();
    }
    ColumnVector[] columns = root.getFieldVectors().stream().map(LogVector::new).toArray(ColumnVector[]::new);
    return new ColumnarBatch(columns, rows);
  }
}
