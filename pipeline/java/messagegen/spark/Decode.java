package messagegen.spark;

import java.lang.ref.Reference;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;

/**
 * Decodes a message to a row, which the native library writes. It goes to executors.
 *
 * <p>Public, as its methods {@code invoke}: code that Spark generates calls them. Each row has memory of its own:
 * Spark may hold the results of several calls, and Python's threads evaluate one function beside those of tasks.
 */
public final class Decode implements ScalarFunction<InternalRow> {
  private static final long serialVersionUID = 1;

  private final String message;
  private final String options;
  private final StructType resultType;
  private final DataType[] inputTypes;

  /** The version of all values; null if each row or value has its own. */
  private final Long version;

  private transient Program program;

  Decode(String message, String options, StructType resultType, DataType[] inputTypes, String version) {
    this.message = message;
    this.options = options;
    this.resultType = resultType;
    this.inputTypes = inputTypes;
    this.version = version == null ? null : Long.valueOf(version);
  }

  @Override
  public DataType[] inputTypes() {
    return inputTypes;
  }

  @Override
  public StructType resultType() {
    return resultType;
  }

  @Override
  public String name() {
    return message;
  }

  @Override
  public String canonicalName() {
    return "messagegen." + message + "." + Integer.toHexString(options.hashCode());
  }

  /** The message of a value that begins with its version, or whose version is an option. */
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

  /** The message of a value in a version. */
  public InternalRow invoke(byte[] value, int version) {
    return value == null ? null : decoded(value, version, true);
  }

  /** The same for a version that is a long. */
  public InternalRow invoke(byte[] value, long version) {
    return value == null ? null : decoded(value, version, true);
  }

  /** The same for a version that may be null, which is an error of the row. Numbers of other types cannot be null. */
  public InternalRow invoke(byte[] value, Decimal version) {
    if (value == null) {
      return null;
    }
    return version == null ? decoded(value, 0, false) : decoded(value, version.toLong(), true);
  }

  /** What Spark calls where it cannot call the methods {@code invoke}. */
  @Override
  public InternalRow produceResult(InternalRow arguments) {
    byte[] value = arguments.isNullAt(0) ? null : arguments.getBinary(0);
    if (inputTypes.length == 1) {
      return invoke(value);
    }
    Object version = arguments.isNullAt(1) ? null : arguments.get(1, inputTypes[1]);
    if (version instanceof Number number) {
      return invoke(value, number.longValue());
    }
    return invoke(value, (Decimal) version);
  }

  private InternalRow decoded(byte[] value, long version, boolean hasVersion) {
    Program used = program();
    try {
      return row(Native.decode(used.handle(), Input.put(value), version, hasVersion));
    } finally {
      Reference.reachabilityFence(used);
    }
  }

  /** The row at an address of {@link Output}; null for 0. */
  private InternalRow row(long address) {
    if (address == 0) {
      return null;
    }
    byte[] bytes = Output.copy(address);
    UnsafeRow row = new UnsafeRow(resultType.size());
    row.pointTo(bytes, bytes.length);
    return row;
  }

  private Program program() {
    Program found = program;
    if (found == null) {
      found = Program.of(options);
      program = found;
    }
    return found;
  }

  /** Equal calls are evaluated once. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Decode decode
        && getClass() == other.getClass()
        && options.equals(decode.options)
        && Arrays.equals(inputTypes, decode.inputTypes);
  }

  @Override
  public int hashCode() {
    return options.hashCode();
  }

  /** What plans show. */
  @Override
  public String toString() {
    return message;
  }
}
