package messagegen.spark;

import org.apache.spark.unsafe.Platform;

/**
 * A result of the native library: the number of bytes, followed by the bytes. It is valid until the thread's next call.
 */
final class Output {
  private Output() {}

  /** Return a copy of the bytes at an address. */
  static byte[] copy(long address) {
    int size = (int) Platform.getLong(null, address);
    byte[] bytes = new byte[size];
    Platform.copyMemory(null, address + Long.BYTES, bytes, Platform.BYTE_ARRAY_OFFSET, size);
    return bytes;
  }
}
