package messagegen.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Hadoop's file systems for the native library, which reads paths without a scheme itself. */
record Storage(Configuration configuration) {
  /** Return a path in the form that the library expects: a local path without a scheme, or a remote path in full. */
  static String qualified(String path, Configuration configuration) throws IOException {
    Path given = new Path(path);
    Path full = given.getFileSystem(configuration).makeQualified(given);
    return "file".equals(full.toUri().getScheme()) ? full.toUri().getPath() : full.toString();
  }

  /**
   * Return the entries of a folder, separated by slashes. Each entry consists of F or D, the size, a space and the
   * name.
   */
  String list(String folder) throws IOException {
    Path path = new Path(folder);
    FileStatus[] found = path.getFileSystem(configuration).listStatus(path);
    return Arrays.stream(found).map(Storage::line).collect(Collectors.joining("/"));
  }

  /** Return the entry at a path in the same format; null if the path does not exist. */
  String entry(String name) throws IOException {
    Path path = new Path(name);
    try {
      return line(path.getFileSystem(configuration).getFileStatus(path));
    } catch (FileNotFoundException missing) {
      return null;
    }
  }

  OpenFile open(String name) throws IOException {
    Path path = new Path(name);
    FileSystem system = path.getFileSystem(configuration);
    return new OpenFile(system.open(path), system.getFileStatus(path).getLen());
  }

  private static String line(FileStatus found) {
    return (found.isDirectory() ? "D" : "F") + found.getLen() + " " + found.getPath().getName();
  }
}
