package messagegen.spark;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;

/**
 * Encodes a struct to the bytes of a message, which the native library writes. It goes to executors. Under PERMISSIVE
 * the result is a row of the bytes and the error, of which one is null.
 *
 * <p>Public, as its methods {@code invoke}: code that Spark generates calls them. Several threads may do so at a time.
 */
public final class Encode implements ScalarFunction<Object> {
  private static final long serialVersionUID = 1;

  private static final String PERMISSIVE = "PERMISSIVE";

  private static final StructType ERROR =
      new StructType().add("message", DataTypes.StringType).add("path", DataTypes.StringType);

  private static final StructType VALUE_AND_ERROR =
      new StructType().add("value", DataTypes.BinaryType).add("_error", ERROR);

  private final String function;
  private final String options;
  private final DataType[] inputTypes;
  private final boolean isPermissive;

  /** The version of all rows; null if each row has its own. */
  private final Long version;

  private transient Program program;

  /** What makes rows of other classes binary, for a thread to take and to bring back; null while one has it. */
  private transient AtomicReference<UnsafeProjection> projection;

  /** Fails for columns that no field has or can take. */
  Encode(String function, Map<String, String> options, DataType[] inputTypes) {
    this.function = function;
    this.options = Query.json(options);
    this.inputTypes = inputTypes;
    isPermissive = PERMISSIVE.equalsIgnoreCase(options.get("mode"));
    program = program();
    version = inputTypes.length == 1 ? Long.valueOf(options.get("version")) : null;
  }

  @Override
  public DataType[] inputTypes() {
    return inputTypes;
  }

  @Override
  public DataType resultType() {
    return isPermissive ? VALUE_AND_ERROR : DataTypes.BinaryType;
  }

  @Override
  public String name() {
    return function;
  }

  @Override
  public String canonicalName() {
    return "messagegen." + function + "." + Integer.toHexString(options.hashCode());
  }

  /** The bytes of a struct in the version that is an option. */
  public Object invoke(InternalRow row) {
    return encoded(row, version, true);
  }

  /** The bytes of a struct in a version. */
  public Object invoke(InternalRow row, int version) {
    return encoded(row, version, true);
  }

  /** The same for a version that is a long. */
  public Object invoke(InternalRow row, long version) {
    return encoded(row, version, true);
  }

  /** The same for a version that may be null, which is an error of the row. Numbers of other types cannot be null. */
  public Object invoke(InternalRow row, Decimal version) {
    return version == null ? encoded(row, 0, false) : encoded(row, version.toLong(), true);
  }

  /** What Spark calls where it cannot call the methods {@code invoke}. */
  @Override
  public Object produceResult(InternalRow arguments) {
    StructType type = (StructType) inputTypes[0];
    InternalRow row = arguments.isNullAt(0) ? null : arguments.getStruct(0, type.size());
    if (inputTypes.length == 1) {
      return invoke(row);
    }
    Object version = arguments.isNullAt(1) ? null : arguments.get(1, inputTypes[1]);
    if (version instanceof Number number) {
      return invoke(row, number.longValue());
    }
    return invoke(row, (Decimal) version);
  }

  private Object encoded(InternalRow row, long version, boolean hasVersion) {
    if (row == null) {
      return isPermissive ? ofNull() : null;
    }
    if (row instanceof UnsafeRow binary) {
      return encoded(binary, version, hasVersion);
    }
    // Spark's columns have rows of their own.
    AtomicReference<UnsafeProjection> free = projection();
    UnsafeProjection used = free.getAndSet(null);
    if (used == null) {
      used = UnsafeProjection.create((StructType) inputTypes[0]);
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

  /** The result at an address of {@link Output}; null for 0. */
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

  private Program program() {
    Program found = program;
    if (found == null) {
      found = Program.ofEncoder(options, inputTypes[0].json());
      program = found;
    }
    return found;
  }

  private AtomicReference<UnsafeProjection> projection() {
    AtomicReference<UnsafeProjection> found = projection;
    if (found == null) {
      // If two threads come here at a time, the projection of one is forgotten.
      found = new AtomicReference<>();
      projection = found;
    }
    return found;
  }

  /** Equal calls are evaluated once. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Encode encode
        && options.equals(encode.options)
        && Arrays.equals(inputTypes, encode.inputTypes);
  }

  @Override
  public int hashCode() {
    return options.hashCode();
  }

  /** What plans show. */
  @Override
  public String toString() {
    return function;
  }
}
