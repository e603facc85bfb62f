package messagegen.spark;

import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A column that is read without Arrow's bounds checks and null checks for each value.
 *
 * <p>Spark's generic code copies columns to rows. One class serves all types, so that each call in that code has only
 * one target, which the JIT compiler then inlines.
 */
final class LogVector extends ArrowColumnVector {
  private final LogVector[] children;
  private final long validity;
  private final long offsets;
  private final long data;

  LogVector(FieldVector vector) {
    super(vector);
    boolean isList = vector instanceof ListVector;
    boolean hasOffsets = isList || vector instanceof BaseVariableWidthVector;
    children = vector.getChildrenFromFields().stream().map(LogVector::new).toArray(LogVector[]::new);
    validity = vector.getNullCount() == 0 ? 0 : vector.getValidityBufferAddress();
    offsets = hasOffsets ? vector.getOffsetBufferAddress() : 0;
    data = isList || vector instanceof StructVector ? 0 : vector.getDataBufferAddress();
  }

  @Override
  public boolean isNullAt(int row) {
    return validity != 0 && !isSet(validity, row);
  }

  @Override
  public boolean getBoolean(int row) {
    return isSet(data, row);
  }

  @Override
  public byte getByte(int row) {
    return Platform.getByte(null, data + row);
  }

  @Override
  public short getShort(int row) {
    return Platform.getShort(null, data + (long) Short.BYTES * row);
  }

  @Override
  public int getInt(int row) {
    return Platform.getInt(null, data + (long) Integer.BYTES * row);
  }

  @Override
  public long getLong(int row) {
    return Platform.getLong(null, data + (long) Long.BYTES * row);
  }

  @Override
  public double getDouble(int row) {
    return Platform.getDouble(null, data + (long) Double.BYTES * row);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    int start = start(row);
    return isNullAt(row) ? null : UTF8String.fromAddress(null, data + start, start(row + 1) - start);
  }

  @Override
  public ColumnarArray getArray(int row) {
    int start = start(row);
    return isNullAt(row) ? null : new ColumnarArray(children[0], start, start(row + 1) - start);
  }

  @Override
  public LogVector getChild(int ordinal) {
    return children[ordinal];
  }

  private int start(int row) {
    return Platform.getInt(null, offsets + (long) Integer.BYTES * row);
  }

  /** Return a bit of an Arrow bitmap: bit {@code row % 8} of byte {@code row / 8}. */
  private static boolean isSet(long bits, int row) {
    byte eight = Platform.getByte(null, bits + (row >> 3));
    return (eight >> (row & 7) & 1) != 0;
  }
}
