package messagegen.spark;

import org.apache.spark.unsafe.Platform;

/** What the native library gives back: the number of bytes, and the bytes behind it, until its next call. */
final class Output {
  private Output() {}

  /** A copy of the bytes at an address, which callers may keep. */
  static byte[] copy(long address) {
    int size = (int) Platform.getLong(null, address);
    byte[] bytes = new byte[size];
    Platform.copyMemory(null, address + Long.BYTES, bytes, Platform.BYTE_ARRAY_OFFSET, size);
    return bytes;
  }
}
