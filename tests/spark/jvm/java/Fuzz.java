package messagegen.spark;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Reads damaged copies of logs through the native library, in two threads. Each copy ends in rows or in an exception.
 * Seconds are CPU time of a thread, so that a run does the same work on a busy machine as on an idle machine.
 */
public final class Fuzz {
  static final long NANOSECONDS = 1_000_000_000L;

  private static final int MOST_CHARACTERS = 2000;
  private static final long SPARSE_BYTES = 64 << 20;

  private static volatile long sum;

  private Fuzz() {}

  /** Folder of logs, folder for copies, seed, seconds, options. */
  public static void main(String[] arguments) throws Exception {
    Native.require();
    long most = Long.parseLong(arguments[3]) * NANOSECONDS;
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int number = 0; number < 2; number++) {
      Path copies = Path.of(arguments[1], "thread-" + number);
      Random random = new Random(Long.parseLong(arguments[2]) + number);
      Thread thread =
          new Thread(
              () -> {
                try {
                  run(Path.of(arguments[0]), copies, random, most, arguments);
                } catch (Throwable problem) {
                  synchronized (failures) {
                    failures.add(problem);
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (Throwable failure : failures) {
      failure.printStackTrace();
    }
    if (!failures.isEmpty()) {
      System.exit(1);
    }
    System.out.println("done");
  }

  /** The CPU time of this thread, in nanoseconds. */
  static long ownTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void run(Path from, Path to, Random random, long most, String[] arguments) throws IOException {
    long read = 0;
    long refused = 0;
    long rows = 0;
    while (ownTime() < most) {
      try (Stream<Path> files = Files.walk(from)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Path copy = to.resolve(from.relativize(file));
          Files.createDirectories(copy.getParent());
          byte[] bytes = Files.readAllBytes(file);
          boolean isLog = copy.toString().endsWith(".log");
          // Other files are damaged rarely, because a damaged checkpoint makes the whole folder unreadable.
          Files.write(copy, isLog || random.nextInt(20) == 0 ? damaged(bytes, random) : bytes);
          // Small files beside logs may be larger than a broker writes them. They are sparse, so they take no disk
          // space.
          if (!isLog && random.nextInt(100) == 0) {
            try (RandomAccessFile sparse = new RandomAccessFile(copy.toFile(), "rw")) {
              sparse.setLength(SPARSE_BYTES);
            }
          }
        }
      }
      Map<String, String> options = new HashMap<>();
      options.put("path", to.toString());
      options.put("maxRecordsPerBatch", "" + (1 + random.nextInt(50)));
      for (int i = 4; i + 1 < arguments.length; i += 2) {
        options.put(arguments[i], arguments[i + 1]);
      }
      if (random.nextBoolean()) {
        options.put("mode", random.nextBoolean() ? "PERMISSIVE" : "DROPMALFORMED");
      }
      if (random.nextBoolean()) {
        options.put("isolationLevel", "read_committed");
      }
      try {
        rows += rows(Query.json(options), random);
        read++;
      } catch (IllegalStateException | IllegalArgumentException expected) {
        String text = expected.getMessage();
        boolean isShort = text != null && text.length() <= MOST_CHARACTERS;
        if (!isShort || text.contains("a defect of messagegen")) {
          throw expected;
        }
        refused++;
      }
    }
    System.out.println(read + " read, " + refused + " refused, " + rows + " rows");
  }

  private static long rows(String options, Random random) {
    Storage storage = new Storage(new Configuration(false));
    long planner = Native.openPlanner(options, 2, storage);
    long rows = 0;
    try {
      for (LogPartition task : LogPartition.of(planner, Native.plan(planner, Query.json(new Bounds())))) {
        StructType all = (StructType) DataType.fromJson(Native.schema(options));
        String required = Required.of(all, (StructType) part(all, random)).ours().json();
        LogReaderFactory.Request request = new LogReaderFactory.Request(options, required, new Bounds());
        long reader = Native.openReader(task.task(), Query.json(request), storage);
        try {
          while (random.nextInt(50) > 0) {
            long read = batch(reader);
            if (read < 0) {
              break;
            }
            rows += read;
          }
          Native.tally(reader);
        } finally {
          Native.closeReader(reader);
        }
      }
    } finally {
      Native.closePlanner(planner);
    }
    return rows;
  }

  /** Returns a type with only some of its fields, in any order, at any depth. */
  private static DataType part(DataType type, Random random) {
    if (random.nextInt(4) == 0) {
      return type;
    }
    if (type instanceof ArrayType array) {
      return new ArrayType(part(array.elementType(), random), array.containsNull());
    }
    if (!(type instanceof StructType struct)) {
      return type;
    }
    List<StructField> fields = new ArrayList<>(List.of(struct.fields()));
    Collections.shuffle(fields, random);
    StructField[] some = fields.subList(0, random.nextInt(fields.size() + 1)).toArray(StructField[]::new);
    for (int i = 0; i < some.length; i++) {
      DataType selected = part(some[i].dataType(), random);
      some[i] = new StructField(some[i].name(), selected, some[i].nullable(), some[i].metadata());
    }
    return new StructType(some);
  }

  /** Reads a batch. Returns its number of rows, or -1 at the end. */
  private static long batch(long reader) {
    long[] batch = Native.next(reader);
    if (batch == null) {
      return -1;
    }
    for (int at = 3 + 2 * (int) batch[2]; at < batch.length; at += 2) {
      touch(batch[at], batch[at + 1]);
    }
    Native.closeBatch(batch[0]);
    return batch[1];
  }

  /** Reads all bytes, by adding them up. */
  private static void touch(long address, long size) {
    long found = 0;
    for (long at = address; at < address + size; at++) {
      found += Platform.getByte(null, at);
    }
    sum = found;
  }

  /** Corrects the checksums of batches: otherwise, nearly all damage would be refused before records are read. */
  private static void repair(ByteBuffer log) {
    for (int at = 0; at + 61 <= log.capacity(); ) {
      int size = log.getInt(at + 8) + 12;
      if (size < 61 || size > log.capacity() - at) {
        return;
      }
      CRC32C checksum = new CRC32C();
      checksum.update(log.slice(at + 21, size - 21));
      log.putInt(at + 17, (int) checksum.getValue());
      at += size;
    }
  }

  /** Returns the arguments of a function: the value to convert, and an integer. */
  static StructType arguments(DataType first) {
    return new StructType().add("_0", first).add("_1", DataTypes.IntegerType, false);
  }

  static byte[] damaged(byte[] bytes, Random random) {
    byte[] copy = bytes.clone();
    int count = copy.length == 0 ? 0 : random.nextInt(4);
    for (int i = 0; i < count; i++) {
      copy[random.nextInt(copy.length)] = (byte) (random.nextBoolean() ? random.nextInt() : 0);
    }
    if (random.nextBoolean()) {
      repair(ByteBuffer.wrap(copy));
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(copy, random.nextInt(copy.length + 1)) : copy;
  }
}
