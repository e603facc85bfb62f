package messagegen.spark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Calls functions with damaged messages, in two threads that share the functions. Each value ends in a row, null or an
 * exception. Damaged copies of the rows are encoded, and end in bytes, an error or an exception. The arguments are a
 * folder, the seed and the seconds. The folder contains a folder for each message, with its plan and with files of
 * values, whose names begin with the version.
 */
public final class FuzzFunctions {
  private static final int RARE = 1000;
  private static final int LONGEST = 6 << 20;
  private static final String[] MODES = {"PERMISSIVE", "FAILFAST", "DROPMALFORMED"};

  private FuzzFunctions() {}

  /** A function, the function that encodes its rows, and a value of its message in a version. */
  private record Call(Decode function, Encode encoder, byte[] value, int version) {}

  public static void main(String[] arguments) throws Exception {
    List<Call> calls = new ArrayList<>();
    try (var messages = Files.list(Path.of(arguments[0]))) {
      for (Path message : messages.sorted().toList()) {
        addCalls(message, calls);
      }
    }
    long most = Long.parseLong(arguments[2]) * Fuzz.NANOSECONDS;
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < 2; number++) {
      Random random = new Random(Long.parseLong(arguments[1]) + number);
      Thread thread = new Thread(() -> run(calls, random, most, failures));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    failures.forEach(Throwable::printStackTrace);
    if (!failures.isEmpty()) {
      System.exit(1);
    }
    System.out.println("done");
  }

  private static void addCalls(Path message, List<Call> calls) throws Exception {
    Plans.Plan plan = new Plans.Plan(message.getFileName().toString(), Files.readString(message.resolve("plan")));
    for (String mode : MODES) {
      DecodeFunction decoder = new DecodeFunction(plan, Map.of("mode", mode, "unknownTaggedFields", "true"));
      Decode function = (Decode) decoder.bind(Fuzz.arguments(DataTypes.BinaryType));
      EncodeFunction encodeFunction = new EncodeFunction(plan, Map.of("mode", mode));
      Encode encoder = (Encode) encodeFunction.bind(Fuzz.arguments(function.resultType()));
      try (var files = Files.list(message)) {
        for (Path file : files.filter(each -> each.getFileName().toString().contains("-")).sorted().toList()) {
          int version = Integer.parseInt(file.getFileName().toString().split("-")[0]);
          calls.add(new Call(function, encoder, Files.readAllBytes(file), version));
        }
      }
    }
  }

  private static void run(List<Call> calls, Random random, long most, List<Throwable> failures) {
    long rows = 0;
    long refused = 0;
    long written = 0;
    try {
      while (Fuzz.ownTime() < most) {
        Call call = calls.get(random.nextInt(calls.size()));
        byte[] value = resized(Fuzz.damaged(call.value(), random), random);
        int version = random.nextInt(10) == 0 ? random.nextInt(20) - 1 : call.version();
        try {
          boolean hasVersion = random.nextInt(10) > 0;
          Decode function = call.function();
          InternalRow row = hasVersion ? function.invoke(value, version) : function.invoke(value);
          if (row != null) {
            read(row, function.resultType());
            rows++;
            written += encode(call, (UnsafeRow) row, version, random) ? 1 : 0;
          }
        } catch (IllegalStateException expected) {
          if (expected.getMessage() == null || expected.getMessage().contains("a defect of messagegen")) {
            throw expected;
          }
          refused++;
        }
      }
    } catch (Throwable problem) {
      synchronized (failures) {
        failures.add(problem);
      }
    }
    System.out.println(rows + " rows, " + written + " encoded, " + refused + " refused");
  }

  /** Encodes a copy of a row, usually damaged, and sometimes inside a longer array. Returns whether it was written. */
  private static boolean encode(Call call, UnsafeRow row, int version, Random random) {
    byte[] bytes = random.nextInt(10) == 0 ? row.getBytes() : Fuzz.damaged(row.getBytes(), random);
    int before = random.nextBoolean() ? 0 : random.nextInt(100);
    byte[] holder = new byte[before + bytes.length + random.nextInt(100)];
    System.arraycopy(bytes, 0, holder, before, bytes.length);
    UnsafeRow copy = new UnsafeRow(row.numFields());
    copy.pointTo(holder, Platform.BYTE_ARRAY_OFFSET + before, bytes.length);
    try {
      Object result = call.encoder().invoke(copy, version);
      if (result instanceof UnsafeRow made) {
        read(made, (StructType) call.encoder().resultType());
        return made.isNullAt(1);
      }
      return result != null;
    } catch (IllegalArgumentException expected) {
      if (!expected.getMessage().equals("the bytes are no row of Spark")) {
        throw expected;
      }
      return false;
    }
  }

  /** Usually returns the same bytes; sometimes none, or so many more zeros that a thread does not keep the memory. */
  private static byte[] resized(byte[] value, Random random) {
    return switch (random.nextInt(RARE)) {
      case 0 -> null;
      case 1 -> new byte[0];
      case 2 -> Arrays.copyOf(value, value.length + random.nextInt(LONGEST));
      default -> value;
    };
  }

  /** Reads everything that a row refers to, by converting it to Scala values. */
  private static void read(InternalRow row, StructType type) {
    UnsafeRow unsafe = (UnsafeRow) row;
    if (unsafe.getSizeInBytes() % Long.BYTES != 0) {
      throw new AssertionError("a row of " + unsafe.getSizeInBytes() + " bytes");
    }
    CatalystTypeConverters.convertToScala(row, type);
  }
}
