package messagegen.spark;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.util.LongAccumulator;

/**
 * The metrics of a scan in Spark's UI, in addition to the rows and bytes that Spark counts itself.
 *
 * <p>Spark's SQL page only shows metrics whose class Spark's own class loader finds. It finds these metrics if {@code
 * spark.jars} contains the jar, but not if a session added the jar later. In that case, the counts of tasks are
 * accumulators on the pages of stages, which need no class of ours. The counts of the plan are then only logged.
 */
final class Metrics {
  /** The metrics of tasks, in the order of {@link Tally#counts}. */
  static final List<Metric> OF_TASKS =
      List.of(
          new Metric("segmentBytes", "bytes of segments read"),
          new Metric("damagedBatches", "damaged batches"),
          new Metric("controlRecords", "control records left out"),
          new Metric("uncommittedRecords", "records left out as aborted or undecided"),
          new Metric("malformed", "damaged batches and values left out"));

  /** The metrics of plans, in the order of {@link Planned#counts}. */
  static final List<Metric> OF_PLAN =
      List.of(
          new Metric("segments", "segments to read"),
          new Metric("skippedSegments", "segments skipped by filters"),
          new Metric("skippedPartitions", "partitions skipped by filters"));

  private Metrics() {}

  /**
   * Return whether the SQL page can show metrics. Only drivers may call this method, because executors have no session.
   */
  static boolean areOnSqlPage() {
    return SqlPage.SHOWS_METRICS;
  }

  /**
   * Holds a constant that is computed at the first scan. It stays valid, because the class loader of this class never
   * changes.
   */
  private static final class SqlPage {
    static final boolean SHOWS_METRICS = isKnownToSpark();

    /**
     * Return whether Spark's listeners find the class {@link Metric}. They use the parent of the session's class
     * loader.
     */
    private static boolean isKnownToSpark() {
      ClassLoader ofSpark = SparkSession.active().sharedState().jarClassLoader().getParent();
      try {
        return Class.forName(Metric.class.getName(), false, ofSpark) == Metric.class;
      } catch (ClassNotFoundException isOfSession) {
        return false;
      }
    }
  }

  static CustomMetric[] all() {
    return Stream.of(OF_TASKS, OF_PLAN).flatMap(List::stream).toArray(CustomMetric[]::new);
  }

  /** Return the counts for metrics, in the order of the metrics. */
  static CustomTaskMetric[] counted(List<Metric> metrics, long[] counts) {
    return IntStream.range(0, counts.length)
        .mapToObj(number -> metrics.get(number).counted(counts[number]))
        .toArray(CustomTaskMetric[]::new);
  }

  /** Create an accumulator for each task metric. The pages of stages show it by name. */
  static List<LongAccumulator> accumulators(SparkContext context) {
    return OF_TASKS.stream()
        .map(metric -> context.longAccumulator(KafkaLogSource.NAME + ": " + metric.description()))
        .toList();
  }
}
