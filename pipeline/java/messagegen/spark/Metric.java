package messagegen.spark;

import java.text.NumberFormat;
import java.util.Locale;
import java.util.stream.LongStream;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * A metric of a scan on Spark's SQL page: the sum of the counts from tasks, or the count from the driver.
 *
 * <p>The class and its constructor without arguments are public, because Spark also creates an instance by class name.
 * That instance only adds up values.
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

  /** Format the sum in the same way as Spark's own sums. */
  @Override
  public String aggregateTaskMetrics(long[] values) {
    return NumberFormat.getIntegerInstance(Locale.US).format(LongStream.of(values).sum());
  }

  /** Return the count of one task or of the driver. */
  CustomTaskMetric counted(long value) {
    return new Counted(name, value);
  }

  private record Counted(String name, long value) implements CustomTaskMetric {}
}
