package messagegen.spark;

import org.apache.spark.sql.connector.read.InputPartition;

/** What one task reads: for the native library, and how many bytes that are. */
record LogPartition(String task, long bytes) implements InputPartition {
  /** The tasks of a plan, as {@link Native#plan} gives them. */
  static LogPartition[] of(String[] plan) {
    LogPartition[] found = new LogPartition[plan.length / 2];
    for (int i = 0; i < found.length; i++) {
      found[i] = new LogPartition(plan[2 * i], Long.parseLong(plan[2 * i + 1]));
    }
    return found;
  }
}
