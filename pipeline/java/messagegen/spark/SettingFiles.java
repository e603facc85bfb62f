package messagegen.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.classic.SparkSession;

/** Reads small files that settings name. Only for drivers. */
final class SettingFiles {
  private static final int MOST_KEPT = 1024;

  /** The maximum size of a file; the longest of Kafka's plans has some 10,000 bytes. */
  private static final long MOST_BYTES = 1 << 24;

  /**
   * The contents of recently read files, with the most recently used files at the end. Spark looks up each function of
   * a query several times, and reading hundreds of files each time may take seconds.
   */
  private static final Map<Version, String> TEXTS = Collections.synchronizedMap(new LastUsed());

  private SettingFiles() {}

  /** The identity of a file's content, which differs after the file has changed. */
  private record Version(Path path, long modified, long bytes) {}

  private static final class LastUsed extends LinkedHashMap<Version, String> {
    private static final long serialVersionUID = 1;

    LastUsed() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Version, String> eldest) {
      return size() > MOST_KEPT;
    }
  }

  /** Reads something at a path. */
  interface Reading<T> {
    T read(FileSystem system, Path path) throws IOException;
  }

  /** Read something at the path in a setting. Errors contain the setting and the path. */
  static <T> T at(String setting, String name, Reading<T> reading) {
    try {
      Path path = new Path(name);
      return reading.read(path.getFileSystem(SparkSession.active().sessionState().newHadoopConf()), path);
    } catch (FileNotFoundException missing) {
      throw new IllegalArgumentException(setting + ": there is nothing at " + name, missing);
    } catch (IOException | RuntimeException unreadable) {
      // Hadoop throws a RuntimeException if it cannot load the class of a file system.
      String text = "%s: %s cannot be read: %s".formatted(setting, name, unreadable);
      throw new IllegalArgumentException(text, unreadable);
    }
  }

  /** Return the content of a file. */
  static String text(FileSystem system, Path path) throws IOException {
    FileStatus status = system.getFileStatus(path);
    if (status.isDirectory()) {
      throw new IOException("expected a file, found a folder");
    }
    return text(system, status);
  }

  /** Return the content of a file with a status, which a list of files contains. */
  static String text(FileSystem system, FileStatus status) throws IOException {
    Version version = new Version(status.getPath(), status.getModificationTime(), status.getLen());
    String known = TEXTS.get(version);
    if (known != null) {
      return known;
    }
    if (status.getLen() > MOST_BYTES) {
      String text = "%s has %d bytes; expected at most %d";
      throw new IOException(text.formatted(status.getPath(), status.getLen(), MOST_BYTES));
    }
    try (FSDataInputStream file = system.open(status.getPath())) {
      String text = new String(file.readNBytes((int) MOST_BYTES), StandardCharsets.UTF_8);
      TEXTS.put(version, text);
      return text;
    }
  }
}
