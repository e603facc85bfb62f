package messagegen.spark;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** Reads rows, which the native library writes as Spark keeps them; each ends when the next is asked for. */
final class LogRows extends TaskReader<InternalRow> {
  private final UnsafeRow row;
  private long at;
  private long end;

  LogRows(LogReaderFactory factory, long handle) {
    super(factory, handle);
    row = new UnsafeRow(factory.required().size());
  }

  @Override
  public boolean next() {
    while (at == end) {
      if (!readRows()) {
        return false;
      }
    }
    int size = Math.toIntExact(Platform.getLong(null, at));
    row.pointTo(null, at + Long.BYTES, size);
    at += Long.BYTES + size;
    return true;
  }

  /** There may be none at a time: the mode may leave all of them out. */
  private synchronized boolean readRows() {
    if (handle == 0) {
      return false;
    }
    long address = Native.nextRows(handle);
    countInput();
    if (address == 0) {
      return false;
    }
    long bytes = Platform.getLong(null, address);
    memory.hold(bytes);
    at = address + Long.BYTES;
    end = at + bytes;
    return true;
  }

  @Override
  public InternalRow get() {
    return row;
  }

  @Override
  public synchronized void close() {
    end = at;
    super.close();
  }
}
