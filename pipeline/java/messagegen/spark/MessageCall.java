package messagegen.spark;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;

/**
 * A function for a message, after the types of its arguments are known. Spark sends it to executors.
 *
 * <p>Spark's generated code calls the methods {@code invoke} of the subclasses, so they are public. Spark only looks
 * for these methods in the class of the function itself, so each subclass declares all of them. Several threads may
 * call a function at the same time: the threads that feed Python workers evaluate it alongside task threads.
 */
abstract class MessageCall<R> implements ScalarFunction<R> {
  private static final long serialVersionUID = 1;

  /** The position of the version in the arguments. */
  private static final int VERSION = 1;

  /** The version of all rows; null if each row or value has its own version. */
  final Long version;

  private final String name;
  private final Program.Source source;
  private final DataType[] inputTypes;
  private transient Program program;

  MessageCall(String name, Program.Source source, DataType[] inputTypes, Long version) {
    this.name = name;
    this.source = source;
    this.inputTypes = inputTypes;
    this.version = version;
  }

  @Override
  public final DataType[] inputTypes() {
    return inputTypes;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String canonicalName() {
    return "messagegen." + name + "." + Integer.toHexString(source.hashCode());
  }

  /** Return the native program of the function, which the first call in a process creates. */
  final Program program() {
    Program found = program;
    if (found == null) {
      found = Program.of(source);
      program = found;
    }
    return found;
  }

  final boolean hasVersionArgument() {
    return inputTypes.length > VERSION;
  }

  /** Return the version argument, whatever its type; may be null. */
  final Decimal versionOf(InternalRow arguments) {
    if (arguments.isNullAt(VERSION)) {
      return null;
    }
    Object given = arguments.get(VERSION, inputTypes[VERSION]);
    return given instanceof Decimal decimal ? decimal : Decimal.apply(((Number) given).longValue());
  }

  /** Compare calls, because Spark evaluates equal calls only once. */
  @Override
  public final boolean equals(Object other) {
    return other instanceof MessageCall<?> call
        && source.equals(call.source)
        && Arrays.equals(inputTypes, call.inputTypes);
  }

  @Override
  public final int hashCode() {
    return source.hashCode();
  }

  /** Return the name that query plans show. */
  @Override
  public final String toString() {
    return name;
  }
}
