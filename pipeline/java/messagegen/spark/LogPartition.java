package messagegen.spark;

import org.apache.spark.sql.connector.read.InputPartition;

/** What one task reads: for the native library, and how many bytes and rows that are (-1: not known). */
record LogPartition(String task, long bytes, long rows) implements InputPartition {
  /** The tasks of a plan, as {@link Native#plan} gives them. */
  static LogPartition[] of(String[] plan) {
    LogPartition[] found = new LogPartition[plan.length / 3];
    for (int i = 0; i < found.length; i++) {
      String rows = plan[3 * i + 2];
      long counted = rows == null ? -1 : Long.parseLong(rows);
      found[i] = new LogPartition(plan[3 * i], Long.parseLong(plan[3 * i + 1]), counted);
    }
    return found;
  }
}
