package messagegen.spark;

import org.apache.spark.sql.connector.read.InputPartition;

/** What one task reads. */
final class LogPartition implements InputPartition {
  /** For the native library. */
  final String task;
  final long bytes;
  /** -1: not known. */
  final long rows;

  LogPartition(String task, long bytes, long rows) {
    this.task = task;
    this.bytes = bytes;
    this.rows = rows;
  }

  /** The tasks of a plan, as {@link Native#plan} gives them. */
  static LogPartition[] of(String[] plan) {
    LogPartition[] found = new LogPartition[plan.length / 3];
    for (int i = 0; i < found.length; i++) {
      String rows = plan[3 * i + 3];
      found[i] = new LogPartition(plan[3 * i + 1], Long.parseLong(plan[3 * i + 2]), rows == null ? -1 : Long.parseLong(rows));
    }
    return found;
  }
}
