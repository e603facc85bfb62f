package messagegen.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** The functions of the native library in the jar. Options are a JSON object of texts. */
final class Native {
  private static final Throwable FAILURE = load();

  private Native() {}

  /** Fail with the root cause if the library could not be loaded. Call this method before any other. */
  static void require() {
    if (FAILURE != null) {
      String text = "the native library of kafka-log cannot be loaded on this machine (%s): %s";
      throw new IllegalStateException(text.formatted(platform(), FAILURE), FAILURE);
    }
  }

  /** Return the folder of the library for this system. */
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
  // loader unpacks its own file, because the JVM loads a file for only one class loader.
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

  /** Return the columns for the options, as Spark's JSON of a type. */
  static native String schema(String options);

  /** Return the most bytes and the most offsets of a micro-batch; -1 means no limit. */
  static native long[] limits(String options);

  static native long openPlanner(String options, int cores, Storage storage);

  static native void closePlanner(long planner);

  /** Return the text and the bytes of each task in turn. The filters are the JSON of {@link Bounds}. */
  static native String[] plan(long planner, String filters);

  /** Return the numbers of {@link Planned} for the latest plan, in its order; empty before the first plan. */
  static native long[] planned(long planner);

  /**
   * Return the number of partitions that a stream follows, of partitions with unread bytes, and of these bytes. Empty
   * until the stream has first looked for data.
   */
  static native long[] behind(long planner);

  static native String initial(long planner);

  static native String latest(long planner, String start, long bytes, long offsets);

  static native void availableNow(long planner);

  static native String[] between(long planner, String start, String end, String filters);

  /** Create a reader of one task. The request is the JSON of {@link LogReaderFactory.Request}. */
  static native long openReader(String task, String request, Storage storage);

  /**
   * Return the handle of a batch, its row count and its node count, then the length and the nulls of each node, then
   * the address and the size of each buffer. The order is that of Arrow's IPC format; the result is null at the end.
   * The buffers are valid until the batch is closed. The column of messages has large binary values: each is a row in
   * Spark's format.
   */
  static native long[] next(long reader);

  /** Return the numbers of a {@link Tally}, in its order. */
  static native long[] tally(long reader);

  /** Return the warnings of a planner since the last call. */
  static native String[] planWarnings(long planner);

  /** Return the warnings of a reader since the last call. */
  static native String[] readWarnings(long reader);

  static native void closeReader(long reader);

  static native void closeBatch(long batch);

  /** Create a function that decodes a message, from its plan and the options. */
  static native long openFunction(String message, String plan, String options);

  /** Return the type of the results, as Spark's JSON. */
  static native String resultType(long function);

  /** Replace this thread's memory of {@link Input} by {@code bytes} zero bytes, and return its address. */
  static native long newInput(int bytes);

  /**
   * Decode the message in the first bytes of this thread's {@link Input}. Returns the address of the row size, which
   * the row follows, or 0 for null. The row is valid until the next call of this thread.
   */
  static native long decode(long function, int bytes, long version, boolean hasVersion);

  /** Decode as {@link #decode} does, but read the version from the start of the value. */
  static native long decodeVersioned(long function, int bytes);

  static native void closeFunction(long function);

  /**
   * Create a function that encodes a message, from its plan, the options, and Spark's JSON of the type of its rows.
   */
  static native long openEncoder(String message, String plan, String options, String rowType);

  /**
   * Encode the row in the first bytes of this thread's {@link Input}. Returns the address of the result size, which
   * the result follows, or 0 for null. The result is valid until the next call of this thread.
   */
  static native long encode(long function, int bytes, long version, boolean hasVersion);

  static native void closeEncoder(long function);
}
