package messagegen.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** The functions of the native library, which is in the jar. Options are a JSON object of texts. */
final class Native {
  private static final Throwable FAILURE = load();

  private Native() {}

  /** Fails with the root cause where the library could not be loaded. Everything else here needs that call first. */
  static void require() {
    if (FAILURE != null) {
      String text = "the native library of kafka-log cannot be loaded on this machine (%s): %s";
      throw new IllegalStateException(text.formatted(platform(), FAILURE), FAILURE);
    }
  }

  /** The folder of the libraries for this system. */
  static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).replaceAll("[^a-z].*", "");
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String architecture =
        switch (machine) {
          case "amd64" -> "x86_64";
          case "arm64" -> "aarch64";
          default -> machine;
        };
    return system + "-" + architecture;
  }

  // A static block that throws would hide the cause behind NoClassDefFoundError from the second use on. Each class
  // loader unpacks a file of its own, because the JVM does not load one file for two of them.
  private static Throwable load() {
    String name = "native/" + platform() + "/" + System.mapLibraryName("messagegen_jni");
    try (InputStream library = Native.class.getResourceAsStream(name)) {
      if (library == null) {
        return new IOException("the jar has no library for this system (" + name + ")");
      }
      Path file = Files.createTempFile("messagegen-jni-", ".library");
      try {
        Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
        System.load(file.toAbsolutePath().toString());
      } finally {
        try {
          Files.deleteIfExists(file);
        } catch (IOException isOpen) {
          file.toFile().deleteOnExit();
        }
      }
      return null;
    } catch (IOException | LinkageError | SecurityException problem) {
      return problem;
    }
  }

  /** The columns of the options, as Spark's JSON of a type. */
  static native String schema(String options);

  /** The bytes and the offsets that one micro-batch reads at most; -1: all. */
  static native long[] limits(String options);

  static native long openPlanner(String options, int cores, Storage storage);

  static native void closePlanner(long planner);

  /** Text and bytes of each task. The filters are the JSON of {@link Bounds}. */
  static native String[] plan(long planner, String filters);

  /** The numbers of {@link Planned} for the latest plan, in its order; none before the first one. */
  static native long[] planned(long planner);

  /** The partitions that a stream follows, those with bytes that it has not read, and these bytes; none at first. */
  static native long[] behind(long planner);

  static native String initial(long planner);

  static native String latest(long planner, String start, long bytes, long offsets);

  static native void availableNow(long planner);

  static native String[] between(long planner, String start, String end, String filters);

  /** The request is the JSON of {@link LogReaderFactory.Request}. */
  static native long openReader(String task, String request, Storage storage);

  /**
   * Handle of a batch, rows, nodes; then length and nulls of each node, and address and size of each buffer, in the
   * order of Arrow's IPC format; null at the end. The buffers are there until the batch is closed. The column of
   * messages has large binary values, each a row as Spark keeps it.
   */
  static native long[] next(long reader);

  /** The numbers of a {@link Tally}, in its order. */
  static native long[] tally(long reader);

  /** What was noticed since this was asked for the last time. */
  static native String[] planWarnings(long planner);

  /** The same of a reader. */
  static native String[] readWarnings(long reader);

  static native void closeReader(long reader);

  static native void closeBatch(long batch);

  /** A function that decodes a message, by its plan and the options. */
  static native long openFunction(String message, String plan, String options);

  /** The type of its results, as Spark's JSON. */
  static native String resultType(long function);

  /** For {@link Input}: the address of new memory of this thread for so many bytes. Its old memory is gone then. */
  static native long newInput(int bytes);

  /**
   * The address of the row of the message in the first bytes of this thread's {@link Input}, behind the number of its
   * bytes; 0 for null. It is there until this thread calls a function again.
   */
  static native long decode(long function, int bytes, long version, boolean hasVersion);

  /** The same for a value that begins with its version. */
  static native long decodeVersioned(long function, int bytes);

  static native void closeFunction(long function);

  /** A function that encodes a message, by its plan, the options, and Spark's JSON of the type of its rows. */
  static native long openEncoder(String message, String plan, String options, String rowType);

  /**
   * The address of the result for the row in the first bytes of this thread's {@link Input}, behind the number of its
   * bytes; 0 for null. It is there until this thread calls a function again.
   */
  static native long encode(long function, int bytes, long version, boolean hasVersion);

  static native void closeEncoder(long function);
}
