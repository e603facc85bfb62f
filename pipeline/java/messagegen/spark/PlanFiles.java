package messagegen.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.classic.SparkSession;

/** Reads plans from files and folders in Hadoop's file systems. Only for drivers. */
final class PlanFiles {
  private static final int MOST_KEPT = 1024;

  /** The maximum size of a plan; the longest of Kafka's has some 10,000 bytes. */
  private static final long MOST_BYTES = 1 << 24;

  /**
   * The contents of recently read files, with the most recently used files at the end. Spark looks up each function of
   * a query several times, and reading hundreds of files each time may take seconds.
   */
  private static final Map<Version, String> TEXTS = Collections.synchronizedMap(new LastUsed());

  private PlanFiles() {}

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

  /** Return the plans at comma-separated paths, by the name of the message. */
  static Map<String, String> read(String paths) {
    Map<String, String> found = new TreeMap<>();
    for (String path : paths.split(",")) {
      if (path.isBlank()) {
        continue;
      }
      textsAt(path.strip())
          .forEach(
              (file, text) -> {
                String message = Plans.messageOf(text);
                if (message == null) {
                  throw new IllegalArgumentException("plans: " + file + " is not the plan of a message");
                }
                found.put(message, text);
              });
    }
    return found;
  }

  private static Map<Path, String> textsAt(String name) {
    Map<Path, String> texts = new TreeMap<>();
    try {
      Path path = new Path(name);
      FileSystem system = path.getFileSystem(SparkSession.active().sessionState().newHadoopConf());
      // For a file, the list contains only the file itself.
      for (FileStatus status : system.listStatus(path)) {
        String file = status.getPath().getName();
        if (status.isFile() && file.endsWith(".plan") && !file.startsWith(".")) {
          texts.put(status.getPath(), text(system, status));
        }
      }
      return texts;
    } catch (FileNotFoundException missing) {
      throw new IllegalArgumentException("plans: there is nothing at " + name, missing);
    } catch (IOException | RuntimeException unreadable) {
      // Hadoop throws a RuntimeException if it cannot load the class of a file system.
      throw new IllegalArgumentException("plans: %s cannot be read: %s".formatted(name, unreadable), unreadable);
    }
  }

  private static String text(FileSystem system, FileStatus status) throws IOException {
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
