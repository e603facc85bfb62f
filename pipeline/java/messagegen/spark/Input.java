package messagegen.spark;

import org.apache.spark.unsafe.Platform;

/**
 * Off-heap memory in which each thread passes the input of a call to the native library. Copying bytes into it is much
 * faster than letting the library get them from the JVM.
 *
 * <p>The library owns the memory, and frees it when the thread ends. The thread-local values have a type from Java's
 * standard library, because values of this class would keep the class loader of an ended session alive.
 */
final class Input {
  private static final int LEAST_BYTES = 1 << 12;

  /** The maximum size that is kept for the next call. It is a power of two, as are all sizes up to it. */
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

  /** Replace the memory by new memory of at least {@code length} bytes. */
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
