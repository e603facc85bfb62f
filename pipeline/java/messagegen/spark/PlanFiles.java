package messagegen.spark;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Reads plans from files and folders in Hadoop's file systems. Only for drivers. */
final class PlanFiles {
  private PlanFiles() {}

  /** Return the plans at comma-separated paths, by the name of the message. */
  static Map<String, String> read(String paths) {
    Map<String, String> found = new TreeMap<>();
    for (String path : paths.split(",")) {
      if (path.isBlank()) {
        continue;
      }
      SettingFiles.at("plans", path.strip(), PlanFiles::textsIn)
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

  private static Map<Path, String> textsIn(FileSystem system, Path path) throws IOException {
    Map<Path, String> texts = new TreeMap<>();
    // For a file, the list contains only the file itself.
    for (FileStatus status : system.listStatus(path)) {
      String file = status.getPath().getName();
      if (status.isFile() && file.endsWith(".plan") && !file.startsWith(".")) {
        texts.put(status.getPath(), SettingFiles.text(system, status));
      }
    }
    return texts;
  }
}
