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

/** Reads columns; each batch owns its memory, and outlives the reader. */
final class LogBatches extends TaskReader<ColumnarBatch> {
  private static final int HEAD = 3;

  private final Schema schema;
  private ColumnarBatch batch;

  LogBatches(Schema schema, long handle) {
    super(handle);
    this.schema = schema;
  }

  @Override
  public synchronized boolean next() {
    long[] numbers = handle == 0 ? null : Native.next(handle);
    batch = numbers == null ? null : made(numbers);
    return batch != null;
  }

  @Override
  public ColumnarBatch get() {
    return batch;
  }

  /** A batch of what {@link Native#next} gives. */
  private ColumnarBatch made(long[] numbers) {
    int rows = Math.toIntExact(numbers[1]);
    int buffers = HEAD + 2 * Math.toIntExact(numbers[2]);
    List<ArrowFieldNode> nodes = new ArrayList<>();
    for (int at = HEAD; at < buffers; at += 2) {
      nodes.add(new ArrowFieldNode(numbers[at], numbers[at + 1]));
    }
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, HeldMemory.allocator());
    List<ArrowBuf> wrapped = new ArrayList<>();
    HeldMemory.Batch held = memory.new Batch(numbers[0], root);
    try {
      for (int at = buffers; at < numbers.length; at += 2) {
        wrapped.add(numbers[at + 1] == 0 ? HeldMemory.allocator().getEmpty() : held.wrap(numbers[at], numbers[at + 1]));
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
