package messagegen.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The functions of the native library in the jar. Options are a JSON object of strings. */
final class Native {
  private static final Logger LOGGER = LoggerFactory.getLogger(Native.class);
  private static final Throwable FAILURE = load();

  private Native() {}

  /** Fail with the root cause if the library could not be loaded. Call this method before any other method. */
  static void require() {
    if (FAILURE != null) {
      String text = "the native library of kafka-log cannot be loaded on this machine (%s): %s";
      throw new IllegalStateException(text.formatted(platform(), FAILURE), FAILURE);
    }
  }

  /** Return the folder in the jar that contains the library for this system. */
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

  // If a static block threw this exception, later uses of the class would only fail with NoClassDefFoundError. Each
  // class loader unpacks its own file, because the JVM loads a file for only one class loader.
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
      logProfile();
      return null;
    } catch (IOException | LinkageError | SecurityException problem) {
      return problem;
    }
  }

  private static void logProfile() {
    String version = Native.class.getPackage().getImplementationVersion();
    String profile = Native.profile();
    String text = "{} {}: native library with the profile {}";
    if (profile.equals("release")) {
      LOGGER.info(text, KafkaLogSource.NAME, version, profile);
    } else {
      LOGGER.warn(text + ", for tests: two to three times slower than release", KafkaLogSource.NAME, version, profile);
    }
  }

  /** Return the Cargo profile of the library, {@code dev} or {@code release}. */
  static native String profile();

  /**
   * Return {@code did you mean ...?} with the line of {@code known} that is most similar to {@code wanted}; empty if no
   * line is similar.
   */
  static native String suggestion(String wanted, String known);

  /** Return the columns that the options select, as a type in Spark's JSON. */
  static native String schema(String options);

  /** Return the maximum number of bytes and of offsets in a micro-batch; -1 means no limit. */
  static native long[] limits(String options);

  static native long openPlanner(String options, int cores, Storage storage);

  static native void closePlanner(long planner);

  /** Fail if nothing exists at a path that is not a pattern. */
  static native void checkPaths(long planner);

  /** Return the names of all topics at the paths of the options, in order. */
  static native String[] topics(long planner);

  /** Return, for each task, its text and then its number of bytes. The filters are the JSON of {@link Bounds}. */
  static native String[] plan(long planner, String filters);

  /** Return the numbers of the latest plan, in the order of {@link Planned}; empty before the first plan. */
  static native long[] planned(long planner);

  /**
   * Return the number of partitions that a stream follows, the number of partitions with unread bytes, and the number
   * of unread bytes. The result is empty until the stream has first looked for data.
   */
  static native long[] behind(long planner);

  static native String initial(long planner);

  /** Return the Spark offset at which the next micro-batch ends, and the one at which the logs end. */
  static native String[] latest(long planner, String start, long bytes, long offsets);

  static native void availableNow(long planner);

  static native String[] between(long planner, String start, String end, String filters);

  /** Create a reader for one task. The request is the JSON of {@link LogReaderFactory.Request}. */
  static native long openReader(String task, String request, Storage storage);

  /**
   * Return the handle of a batch, its row count and its node count. Then follow the length and the null count of each
   * node, and the address and the size of each buffer. Nodes and buffers have the same order as in Arrow's IPC format.
   * The result is null at the end. The buffers are valid until the batch is closed. The column of messages has large
   * binary values, each of which is a row in Spark's format.
   */
  static native long[] next(long reader);

  /** Return the current counts, in the order of {@link Tally}. */
  static native long[] tally(long reader);

  /** Return the warnings of a planner since the last call. */
  static native String[] planWarnings(long planner);

  /** Return the warnings of a reader since the last call. */
  static native String[] readWarnings(long reader);

  static native void closeReader(long reader);

  static native void closeBatch(long batch);

  /** Create a decoding function from a message's name, its plan and the options. */
  static native long openFunction(String message, String plan, String options);

  /** Return the type of a function's results, as Spark's JSON. */
  static native String resultType(long function);

  /** Replace this thread's memory for {@link Input} by {@code bytes} zero bytes, and return its address. */
  static native long newInput(int bytes);

  /**
   * Decode the message in the first bytes of this thread's {@link Input}. Returns the address of the row's size, which
   * precedes the row, or 0 for null. The row is valid until this thread's next call.
   */
  static native long decode(long function, int bytes, long version, boolean hasVersion);

  /** Decode as {@link #decode} does, but read the version from the start of the value. */
  static native long decodeVersioned(long function, int bytes);

  static native void closeFunction(long function);

  /**
   * Create an encoding function from a message's name, its plan, the options, and the type of the rows in Spark's JSON.
   */
  static native long openEncoder(String message, String plan, String options, String rowType);

  /**
   * Encode the row in the first bytes of this thread's {@link Input}. Returns the address of the result's size, which
   * precedes the result, or 0 for null. The result is valid until this thread's next call.
   */
  static native long encode(long function, int bytes, long version, boolean hasVersion);

  static native void closeEncoder(long function);
}
