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
 * The native memory of the batches of a task, counted as memory of that task.
 *
 * <p>A batch owns its buffers. Spark closes each batch after use, but may close the reader earlier. Batches that remain
 * are closed when the task ends.
 */
final class HeldMemory extends MemoryConsumer {
  /** The allocator. It is never closed, because closing an allocator that still has buffers throws an exception. */
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

  @Override
  public long spill(long size, MemoryConsumer trigger) {
    return 0;
  }

  /** Close the remaining batches, and give their memory back to the task. */
  void end() {
    isOver = true;
    for (Batch batch : batches) {
      batch.vectors.close();
    }
    if (getUsed() > 0) {
      freeMemory(getUsed());
    }
  }

  /** The buffers of one batch. They are freed together, once no buffer is in use. */
  final class Batch {
    private final long handle;

    /** The columns that read the buffers. If Spark does not close them, they are closed when the task ends. */
    private final VectorSchemaRoot vectors;

    /** The number of buffers in use, plus one while the batch is being created. */
    private final AtomicInteger users = new AtomicInteger(1);
    private long bytes;

    Batch(long handle, VectorSchemaRoot vectors) {
      this.handle = handle;
      this.vectors = vectors;
      batches.add(this);
    }

    ArrowBuf wrap(long address, long size) {
      ArrowBuf wrapped =
          ALLOCATOR.wrapForeignAllocation(
              new ForeignAllocation(size, address) {
                @Override
                protected void release0() {
                  release();
                }
              });
      users.incrementAndGet();
      bytes += size;
      // The memory is already allocated, so it is not an error if Spark grants less.
      acquireMemory(size);
      return wrapped;
    }

    void release() {
      if (users.decrementAndGet() == 0) {
        Native.closeBatch(handle);
        batches.remove(this);
        if (!isOver && bytes > 0) {
          freeMemory(Math.min(bytes, getUsed()));
        }
      }
    }
  }
}
