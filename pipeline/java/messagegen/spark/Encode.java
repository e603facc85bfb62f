package messagegen.spark;

import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;

/**
 * Encodes a struct to the bytes of a message, with the native library. In mode PERMISSIVE, the result is a row that
 * consists of the bytes and the error, one of which is null.
 */
public final class Encode extends MessageCall<Object> {
  private static final long serialVersionUID = 1;

  /** The mode that returns errors as results. */
  static final String PERMISSIVE = "PERMISSIVE";

  private static final StructType ERROR =
      new StructType().add("message", DataTypes.StringType).add("path", DataTypes.StringType);

  private static final StructType VALUE_AND_ERROR =
      new StructType().add("value", DataTypes.BinaryType).add("_error", ERROR);

  private final StructType rowType;
  private final boolean isPermissive;

  /**
   * The converter from other row classes to binary rows. A thread takes it and puts it back; it is null while a thread
   * uses it.
   */
  private transient AtomicReference<UnsafeProjection> projection;

  Encode(Program.Source source, DataType[] inputTypes, Long version, boolean isPermissive) {
    super(EncodeFunction.PREFIX + source.plan().message(), source, inputTypes, version);
    rowType = (StructType) inputTypes[0];
    this.isPermissive = isPermissive;
  }

  @Override
  public DataType resultType() {
    return isPermissive ? VALUE_AND_ERROR : DataTypes.BinaryType;
  }

  /** Return the bytes of a struct, in the version that the options set. */
  public Object invoke(InternalRow row) {
    return encoded(row, version, true);
  }

  /** Return the bytes of a struct, in the given version. */
  public Object invoke(InternalRow row, int version) {
    return encoded(row, version, true);
  }

  /** Return the bytes of a struct; the version is a long. */
  public Object invoke(InternalRow row, long version) {
    return encoded(row, version, true);
  }

  /**
   * Return the bytes of a struct; the version may be null, which makes the row an error. Nullable versions are always
   * decimals, because the other number types cannot be null.
   */
  public Object invoke(InternalRow row, Decimal version) {
    return version == null ? encoded(row, 0, false) : encoded(row, version.toLong(), true);
  }

  /** Encode where Spark cannot call the methods {@code invoke}. */
  @Override
  public Object produceResult(InternalRow arguments) {
    InternalRow row = arguments.isNullAt(0) ? null : arguments.getStruct(0, rowType.size());
    return hasVersionArgument() ? invoke(row, versionOf(arguments)) : invoke(row);
  }

  private Object encoded(InternalRow row, long version, boolean hasVersion) {
    if (row == null) {
      return isPermissive ? ofNull() : null;
    }
    if (row instanceof UnsafeRow binary) {
      return encoded(binary, version, hasVersion);
    }
    // Rows from Spark's columnar batches have a different class.
    AtomicReference<UnsafeProjection> free = projection();
    UnsafeProjection used = free.getAndSet(null);
    if (used == null) {
      used = UnsafeProjection.create(rowType);
    }
    Object result = encoded(used.apply(row), version, hasVersion);
    free.set(used);
    return result;
  }

  private Object encoded(UnsafeRow row, long version, boolean hasVersion) {
    Program used = program();
    try {
      int bytes = Input.put(row.getBaseObject(), row.getBaseOffset(), row.getSizeInBytes());
      return result(Native.encode(used.handle(), bytes, version, hasVersion));
    } finally {
      Reference.reachabilityFence(used);
    }
  }

  /** Return the result at an address of {@link Output}; null for 0. */
  private Object result(long address) {
    if (address == 0) {
      return null;
    }
    byte[] bytes = Output.copy(address);
    return isPermissive ? rowOf(bytes) : bytes;
  }

  private static UnsafeRow rowOf(byte[] bytes) {
    UnsafeRow row = new UnsafeRow(VALUE_AND_ERROR.size());
    row.pointTo(bytes, bytes.length);
    return row;
  }

  private static UnsafeRow ofNull() {
    int words = 1 + VALUE_AND_ERROR.size();
    UnsafeRow row = rowOf(new byte[words * Long.BYTES]);
    for (int field = 0; field < VALUE_AND_ERROR.size(); field++) {
      row.setNullAt(field);
    }
    return row;
  }

  private AtomicReference<UnsafeProjection> projection() {
    AtomicReference<UnsafeProjection> found = projection;
    if (found == null) {
      // If two threads get here at the same time, one of the two references is lost.
      found = new AtomicReference<>();
      projection = found;
    }
    return found;
  }
}
