package messagegen.spark;

import org.apache.spark.unsafe.Platform;

/**
 * Memory of each thread, outside of Java's heap, from which the native library reads what a function is called with.
 * Copying bytes there is much faster than having the library ask the JVM for them.
 *
 * <p>The library owns the memory, which ends with the thread. Threads keep values of Java's own types here: those of
 * this class would keep the class loader of a session that is over.
 */
final class Input {
  private static final int LEAST_BYTES = 1 << 12;

  /** More than this is given back when the next bytes come. A power of two, as all sizes up to it. */
  private static final int MOST_KEPT_BYTES = 1 << 22;

  private static final int ADDRESS = 0;
  private static final int BYTES = 1;

  /** Address and size of the memory of a thread. */
  private static final ThreadLocal<long[]> MEMORY = ThreadLocal.withInitial(() -> new long[2]);

  private Input() {}

  /** Copies bytes to the start of this thread's memory, and gives their number. */
  static int put(byte[] bytes) {
    return put(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
  }

  /** The same for bytes in an object, or at an address if that is null. */
  static int put(Object holder, long offset, int length) {
    long[] memory = MEMORY.get();
    if (length > memory[BYTES] || memory[BYTES] > MOST_KEPT_BYTES) {
      reserve(memory, length);
    }
    Platform.copyMemory(holder, offset, null, memory[ADDRESS], length);
    return length;
  }

  /** Has memory for so many bytes. */
  private static void reserve(long[] memory, int length) {
    int size = LEAST_BYTES;
    while (size < length && size < MOST_KEPT_BYTES) {
      size *= 2;
    }
    // Where there is no memory for so many bytes, there is none at all from here on.
    memory[BYTES] = 0;
    size = Math.max(size, length);
    memory[ADDRESS] = Native.newInput(size);
    memory[BYTES] = size;
  }
}
