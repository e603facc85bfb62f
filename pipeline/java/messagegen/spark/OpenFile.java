package messagegen.spark;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;

/** An open file of Hadoop's file systems. */
final class OpenFile {
  private final FSDataInputStream stream;
  private final long size;
  private byte[] chunk = {};

  OpenFile(FSDataInputStream stream, long size) {
    this.stream = stream;
    this.size = size;
  }

  long size() {
    return size;
  }

  /**
   * Fill a native buffer with bytes from a position on, and return their number. It is less than the buffer's size only
   * at the end of the file.
   */
  int read(long position, ByteBuffer target) throws IOException {
    int wanted = (int) Math.max(0, Math.min(size - position, target.remaining()));
    if (chunk.length < wanted) {
      chunk = new byte[wanted];
    }
    // Some file systems refuse to seek to the end of a file.
    if (wanted == 0) {
      return 0;
    }
    stream.seek(position);
    int count = stream.readNBytes(chunk, 0, wanted);
    target.put(chunk, 0, count);
    return count;
  }

  void close() throws IOException {
    stream.close();
  }
}
