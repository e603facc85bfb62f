package messagegen.spark;

import org.apache.spark.unsafe.Platform;

/**
 * The memory of each thread, outside of Java's heap, from which the native library reads the input of a call. Copying
 * bytes there is much faster than having the library ask the JVM for them.
 *
 * <p>The library owns the memory, and frees it when the thread ends. The thread-local values are of Java's own types,
 * because values of this class would keep the class loader of an ended session alive.
 */
final class Input {
  private static final int LEAST_BYTES = 1 << 12;

  /** Larger memory is freed at the next call. A power of two, like all sizes up to it. */
  private static final int MOST_KEPT_BYTES = 1 << 22;

  private static final int ADDRESS = 0;
  private static final int BYTES = 1;

  /** The address and the size of the memory of a thread. */
  private static final ThreadLocal<long[]> MEMORY = ThreadLocal.withInitial(() -> new long[2]);

  private Input() {}

  /** Copy bytes to the start of this thread's memory, and return their number. */
  static int put(byte[] bytes) {
    return put(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
  }

  /** Copy bytes from an offset in an object, or from an address if {@code holder} is null. */
  static int put(Object holder, long offset, int length) {
    long[] memory = MEMORY.get();
    if (length > memory[BYTES] || memory[BYTES] > MOST_KEPT_BYTES) {
      reserve(memory, length);
    }
    Platform.copyMemory(holder, offset, null, memory[ADDRESS], length);
    return length;
  }

  /** Replace the memory by a new one of at least {@code length} bytes. */
  private static void reserve(long[] memory, int length) {
    int size = LEAST_BYTES;
    while (size < length && size < MOST_KEPT_BYTES) {
      size *= 2;
    }
    // If the allocation fails, the old memory is already freed.
    memory[BYTES] = 0;
    size = Math.max(size, length);
    memory[ADDRESS] = Native.newInput(size);
    memory[BYTES] = size;
  }
}
