package messagegen.spark;

import java.util.Arrays;
import org.apache.spark.sql.connector.read.InputPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part of the log that one task reads: its text for the native library, and its size in bytes. */
record LogPartition(String task, long bytes) implements InputPartition {
  private static final Logger LOGGER = LoggerFactory.getLogger(LogPartition.class);

  /** Log the warnings of a planner since the last call. */
  static void logWarnings(long planner) {
    Arrays.stream(Native.planWarnings(planner)).forEach(LOGGER::warn);
  }

  /** Return the tasks in the result of {@link Native#plan}, and log the warnings of the planner. */
  static LogPartition[] of(long planner, String[] plan) {
    logWarnings(planner);
    LogPartition[] found = new LogPartition[plan.length / 2];
    for (int i = 0; i < found.length; i++) {
      String task = plan[2 * i];
      long bytes = Long.parseLong(plan[2 * i + 1]);
      found[i] = new LogPartition(task, bytes);
    }
    return found;
  }
}
