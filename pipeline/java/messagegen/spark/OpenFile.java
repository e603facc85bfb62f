package messagegen.spark;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;

/** An open file of Hadoop's file systems. */
final class OpenFile {
  private static final int CHUNK = 1 << 20;

  private final FSDataInputStream stream;
  private final long size;
  private byte[] chunk;

  OpenFile(FSDataInputStream stream, long size) {
    this.stream = stream;
    this.size = size;
  }

  long size() {
    return size;
  }

  /** Fills memory of the native library from a position on; less than all of it only at the end of the file. */
  int read(long position, ByteBuffer target) throws IOException {
    int wanted = target.remaining();
    if (stream.hasCapability("in:preadbytebuffer")) {
      int count = 0;
      while (target.hasRemaining() && count >= 0) {
        count = stream.read(position + wanted - target.remaining(), target);
      }
      return wanted - target.remaining();
    }
    if (chunk == null) {
      chunk = new byte[Math.min(CHUNK, wanted)];
    }
    int done = 0;
    while (done < wanted) {
      int count = stream.read(position + done, chunk, 0, Math.min(chunk.length, wanted - done));
      if (count <= 0) {
        break;
      }
      target.put(chunk, 0, count);
      done += count;
    }
    return done;
  }

  void close() throws IOException {
    stream.close();
  }
}
