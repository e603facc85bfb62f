package messagegen.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** What the native library asks of Hadoop's file systems. Paths without a scheme it reads itself. */
record Storage(Configuration configuration) {
  /** A path as the library takes it: local ones without a scheme, others with all of it. */
  static String qualified(String path, Configuration configuration) throws IOException {
    Path given = new Path(path);
    Path full = given.getFileSystem(configuration).makeQualified(given);
    return "file".equals(full.toUri().getScheme()) ? full.toUri().getPath() : full.toString();
  }

  /** What is in a folder: F or D, the size, a blank and the name of each, with slashes between them. */
  String list(String folder) throws IOException {
    Path path = new Path(folder);
    FileStatus[] found = path.getFileSystem(configuration).listStatus(path);
    return Arrays.stream(found).map(Storage::line).collect(Collectors.joining("/"));
  }

  /** One of them, or null if nothing is there. */
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
