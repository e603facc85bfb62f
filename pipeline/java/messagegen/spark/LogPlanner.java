package messagegen.spark;

import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The planner of the native library, until it is closed. */
final class LogPlanner implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(LogPlanner.class);

  private long handle;

  LogPlanner(Query query) {
    handle = Native.openPlanner(query.options(), new Storage(query.configuration()));
  }

  synchronized LogPartition[] plan(Bounds bounds) {
    return told(Native.plan(handle, Query.json(bounds)));
  }

  synchronized LogPartition[] between(String start, String end, Bounds bounds) {
    return told(Native.between(handle, start, end, Query.json(bounds)));
  }

  synchronized String initial() {
    return Native.initial(handle);
  }

  /** The end of the next micro-batch: so many bytes or offsets further, unless these are negative. */
  synchronized String latest(String start, long bytes, long offsets) {
    return Native.latest(handle, start, bytes, offsets);
  }

  synchronized void availableNow() {
    Native.availableNow(handle);
  }

  @Override
  public synchronized void close() {
    long closed = handle;
    handle = 0;
    Native.closePlanner(closed);
  }

  private LogPartition[] told(String[] plan) {
    Arrays.stream(Native.planWarnings(handle)).forEach(LOGGER::warn);
    return LogPartition.of(plan);
  }
}
