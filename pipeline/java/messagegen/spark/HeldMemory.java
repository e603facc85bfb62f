package messagegen.spark;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.sql.util.ArrowUtils;

/**
 * The memory of the native library that the batches of one task hold, counted in the memory of the task.
 *
 * <p>A batch owns its buffers: Spark may close the reader while it still uses batches, and closes each of them after use. What is left
 * when the task ends is closed then.
 */
final class HeldMemory extends MemoryConsumer {
  /** One for the life of the process: an allocator that is closed while it still has buffers throws. */
  private static final BufferAllocator ALLOCATOR =
      ArrowUtils.rootAllocator().newChildAllocator("kafka-log", 0, Long.MAX_VALUE);

  private final Set<Batch> batches = ConcurrentHashMap.newKeySet();
  private volatile boolean isOver;

  HeldMemory(TaskMemoryManager manager) {
    super(manager, manager.pageSizeBytes(), manager.getTungstenMemoryMode());
  }

  static BufferAllocator allocator() {
    return ALLOCATOR;
  }

  /** The bytes that all batches of this process hold. */
  static long total() {
    return ALLOCATOR.getAllocatedMemory();
  }

  @Override
  public long spill(long size, MemoryConsumer trigger) {
    return 0;
  }

  /** Closes what is left. */
  void end() {
    isOver = true;
    for (Batch batch : batches) {
      batch.close();
    }
    if (getUsed() > 0) {
      freeMemory(getUsed());
    }
  }

  /** The buffers of one batch. */
  final class Batch {
    private final long bytes;
    private final AtomicInteger open;
    private VectorSchemaRoot vectors;

    Batch(long bytes, int buffers) {
      this.bytes = bytes;
      open = new AtomicInteger(buffers);
      batches.add(this);
      // The memory is there already, so less than all of it is no reason to fail.
      acquireMemory(bytes);
    }

    /** The columns that read the buffers, which are closed with the task if Spark does not close them. */
    void own(VectorSchemaRoot root) {
      vectors = root;
    }

    ArrowBuf wrap(long address, long size, long handle) {
      return ALLOCATOR.wrapForeignAllocation(new Buffer(this, address, size, handle));
    }

    /** Counts a buffer that was given back. */
    void released() {
      if (open.decrementAndGet() == 0) {
        batches.remove(this);
        if (!isOver) {
          freeMemory(Math.min(bytes, getUsed()));
        }
      }
    }

    private void close() {
      if (vectors != null) {
        vectors.close();
      }
    }
  }

  /** A buffer of the native library, given back when nobody refers to it. */
  private static final class Buffer extends ForeignAllocation {
    private final Batch batch;
    private final long handle;

    Buffer(Batch batch, long address, long size, long handle) {
      super(size, address);
      this.batch = batch;
      this.handle = handle;
    }

    @Override
    protected void release0() {
      Native.release(handle);
      batch.released();
    }
  }
}
