package messagegen.spark;

import java.lang.ref.Reference;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;

/**
 * Decodes a message to a row, with the native library.
 *
 * <p>Each row has its own memory, because Spark may keep the results of several calls.
 */
public final class Decode extends MessageCall<InternalRow> {
  private static final long serialVersionUID = 1;

  private final StructType resultType;

  Decode(Program.Source source, DataType[] inputTypes, Long version, StructType resultType) {
    super(source.plan().message(), source, inputTypes, version);
    this.resultType = resultType;
  }

  @Override
  public StructType resultType() {
    return resultType;
  }

  /** Return the message of a value that begins with its version, or whose version is set by an option. */
  public InternalRow invoke(byte[] value) {
    if (value == null) {
      return null;
    }
    if (version != null) {
      return decoded(value, version, true);
    }
    Program used = program();
    try {
      return row(Native.decodeVersioned(used.handle(), Input.put(value)));
    } finally {
      Reference.reachabilityFence(used);
    }
  }

  /** Return the message of a value, which has the given version. */
  public InternalRow invoke(byte[] value, int version) {
    return value == null ? null : decoded(value, version, true);
  }

  /** Return the message of a value; the version is a long. */
  public InternalRow invoke(byte[] value, long version) {
    return value == null ? null : decoded(value, version, true);
  }

  /**
   * Return the message of a value; the version may be null, which makes the row an error. Nullable versions are always
   * decimals, because the other number types cannot be null.
   */
  public InternalRow invoke(byte[] value, Decimal version) {
    if (value == null) {
      return null;
    }
    return version == null ? decoded(value, 0, false) : decoded(value, version.toLong(), true);
  }

  /** Decode where Spark cannot call the methods {@code invoke}. */
  @Override
  public InternalRow produceResult(InternalRow arguments) {
    byte[] value = arguments.isNullAt(0) ? null : arguments.getBinary(0);
    return hasVersionArgument() ? invoke(value, versionOf(arguments)) : invoke(value);
  }

  private InternalRow decoded(byte[] value, long version, boolean hasVersion) {
    Program used = program();
    try {
      return row(Native.decode(used.handle(), Input.put(value), version, hasVersion));
    } finally {
      Reference.reachabilityFence(used);
    }
  }

  /** Return the row at an address of {@link Output}; null for 0. */
  private InternalRow row(long address) {
    if (address == 0) {
      return null;
    }
    byte[] bytes = Output.copy(address);
    UnsafeRow row = new UnsafeRow(resultType.size());
    row.pointTo(bytes, bytes.length);
    return row;
  }
}
