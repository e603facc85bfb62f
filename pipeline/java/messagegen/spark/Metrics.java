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
 * What Spark's UI shows of a scan, beside the rows and bytes that Spark shows itself.
 *
 * <p>Spark's SQL page shows metrics of a source if Spark finds their class where it looks for classes of its own. It
 * does with {@code spark.jars}, and does not if a session added the jar later. Then the pages of stages show the counts
 * of tasks as accumulators, which need no class of ours, and the log has those of the plan.
 */
final class Metrics {
  /** In the order of {@link Tally#counts}. */
  static final List<Metric> OF_TASKS =
      List.of(
          new Metric("segmentBytes", "bytes of segments read"),
          new Metric("damagedBatches", "damaged batches"),
          new Metric("controlRecords", "control records left out"),
          new Metric("uncommittedRecords", "records left out as aborted or undecided"),
          new Metric("malformed", "damaged batches and values left out"));

  /** In the order of {@link Planned#counts}. */
  static final List<Metric> OF_PLAN =
      List.of(
          new Metric("segments", "segments to read"),
          new Metric("skippedSegments", "segments skipped by filters"),
          new Metric("skippedPartitions", "partitions skipped by filters"));

  private Metrics() {}

  /** Whether the SQL page can show them. Only drivers may ask: executors have no session. */
  static boolean areOnSqlPage() {
    return SqlPage.SHOWS_METRICS;
  }

  /** Looked up once, when a scan first asks: where this class comes from does not change. */
  private static final class SqlPage {
    static final boolean SHOWS_METRICS = isKnownToSpark();

    /** Spark's listeners have the class loader that is above the session's one. */
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

  /** The counts of metrics, in their order. */
  static CustomTaskMetric[] counted(List<Metric> metrics, long[] counts) {
    return IntStream.range(0, counts.length)
        .mapToObj(number -> metrics.get(number).counted(counts[number]))
        .toArray(CustomTaskMetric[]::new);
  }

  /** An accumulator for each metric of tasks, which the pages of their stages show by its name. */
  static List<LongAccumulator> accumulators(SparkContext context) {
    return OF_TASKS.stream()
        .map(metric -> context.longAccumulator(KafkaLogSource.NAME + ": " + metric.description()))
        .toList();
  }
}
