package messagegen.spark;

import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/**
 * A row of a batch with a column of messages, which the native library has written in Spark's row format.
 *
 * <p>Spark's own {@code JoinedRow} reads all other columns.
 */
final class LogRow extends JoinedRow {
  private final int ordinal;
  private final UnsafeRow message;
  private ColumnarBatch batch;
  private long offsets;
  private long data;
  private int row;

  /** Create a row whose column {@code ordinal} contains messages with {@code fields} fields. */
  LogRow(int ordinal, int fields) {
    this.ordinal = ordinal;
    message = new UnsafeRow(fields);
  }

  /** Switch to the rows of a new batch. */
  void setBatch(ColumnarBatch batch) {
    this.batch = batch;
    ArrowColumnVector column = (ArrowColumnVector) batch.column(ordinal);
    LargeVarBinaryVector messages = (LargeVarBinaryVector) column.getValueVector();
    offsets = messages.getOffsetBufferAddress();
    data = messages.getDataBufferAddress();
  }

  /** Switch to a row of the batch. */
  void setRow(int row) {
    this.row = row;
    apply(batch.getRow(row), InternalRow.empty());
  }

  @Override
  public InternalRow getStruct(int column, int fields) {
    if (column != ordinal) {
      return super.getStruct(column, fields);
    }
    if (isNullAt(column)) {
      return null;
    }
    long start = Platform.getLong(null, offsets + (long) Long.BYTES * row);
    long end = Platform.getLong(null, offsets + (long) Long.BYTES * (row + 1));
    message.pointTo(null, data + start, Math.toIntExact(end - start));
    return message;
  }

  @Override
  public Object get(int column, DataType type) {
    return column == ordinal ? getStruct(column, message.numFields()) : super.get(column, type);
  }

  @Override
  public InternalRow copy() {
    InternalRow copied = batch.getRow(row).copy();
    if (!isNullAt(ordinal)) {
      copied.update(ordinal, getStruct(ordinal, message.numFields()).copy());
    }
    return copied;
  }
}
