package messagegen.spark;

import java.text.NumberFormat;
import java.util.Locale;
import java.util.stream.LongStream;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * A number that Spark's SQL page shows for a scan: the sum of what its tasks, or the driver, counted.
 *
 * <p>The class and its constructor without arguments are public, because Spark makes an instance by the name of the
 * class. That instance only adds up values.
 */
public final class Metric implements CustomMetric {
  private final String name;
  private final String description;

  public Metric() {
    this("", "");
  }

  Metric(String name, String description) {
    this.name = name;
    this.description = description;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  /** As Spark writes its own sums. */
  @Override
  public String aggregateTaskMetrics(long[] values) {
    return NumberFormat.getIntegerInstance(Locale.US).format(LongStream.of(values).sum());
  }

  /** What one task or the driver counted. */
  CustomTaskMetric counted(long value) {
    return new Counted(name, value);
  }

  private record Counted(String name, long value) implements CustomTaskMetric {}
}
