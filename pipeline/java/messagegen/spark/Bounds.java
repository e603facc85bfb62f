package messagegen.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * The bounds that the filters of a query set for offsets, times, topics and partitions.
 *
 * <p>They only reduce how much is read: Spark still applies all filters itself.
 */
final class Bounds {
  /** The comparison operators, each with its counterpart for the case that the literal comes before the column. */
  private static final Map<String, String> FLIPPED = Map.of("<", ">", "<=", ">=", ">", "<", ">=", "<=");

  private static final Set<String> EQUALITIES = Set.of("=", "<=>", "IN");
  private static final String TOPIC = "topic";
  private static final String PARTITION = "partition";
  private static final long MICROSECONDS_OF_MILLISECOND = 1000;

  // Indexes of `bounds`.
  private static final int LOWEST_OFFSET = 0;
  private static final int HIGHEST_OFFSET = 1;
  private static final int LOWEST_TIMESTAMP = 2;
  private static final int HIGHEST_TIMESTAMP = 3;

  /**
   * The lowest and highest offset, and the lowest and highest millisecond, all inclusive, in the order of Rust's
   * `Bounds`.
   */
  final long[] bounds = {Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE};

  /** The topics that pass the filters; null for all. */
  Object[] topics;

  /** The partitions that pass the filters; null for all. */
  Object[] partitions;

  /** Return a copy of these bounds, which filters can narrow without changing this object. */
  Bounds copy() {
    Bounds copy = new Bounds();
    System.arraycopy(bounds, 0, copy.bounds, 0, bounds.length);
    copy.topics = topics;
    copy.partitions = partitions;
    return copy;
  }

  /** Return whether all rows of a partition have the same value in a column. Names of columns are case-insensitive. */
  static boolean isPlace(String column) {
    return column.equalsIgnoreCase(TOPIC) || column.equalsIgnoreCase(PARTITION);
  }

  /** Apply the supported filters, and return the filters that were applied. */
  Predicate[] take(Predicate[] predicates) {
    return Arrays.stream(predicates).filter(this::takeOne).toArray(Predicate[]::new);
  }

  private boolean takeOne(Predicate predicate) {
    Expression[] operands = predicate.children();
    if (operands.length == 0) {
      return false;
    }
    boolean isFlipped = operands.length == 2 && operands[0] instanceof Literal;
    Expression column = operands[isFlipped ? 1 : 0];
    if (!(column instanceof NamedReference reference) || reference.fieldNames().length != 1) {
      return false;
    }
    List<Object> values = new ArrayList<>();
    for (Expression operand : operands) {
      if (operand instanceof Literal<?> literal) {
        values.add(literal.value());
      } else if (operand != column) {
        return false;
      }
    }
    String name = predicate.name();
    String operator = isFlipped ? FLIPPED.getOrDefault(name, name) : name;
    return switch (reference.fieldNames()[0].toLowerCase(Locale.ROOT)) {
      case TOPIC -> takeTopics(operator, values);
      case PARTITION -> takePartitions(operator, values);
      case "offset" -> takeRange(operator, numbers(values), LOWEST_OFFSET, HIGHEST_OFFSET);
      case "timestamp" -> takeRange(operator, milliseconds(values), LOWEST_TIMESTAMP, HIGHEST_TIMESTAMP);
      default -> false;
    };
  }

  private boolean takeTopics(String operator, List<Object> values) {
    if (!EQUALITIES.contains(operator)) {
      return false;
    }
    // Spark represents strings as UTF8String.
    Stream<Object> names = values.stream().map(value -> value == null ? null : value.toString());
    topics = inBoth(topics, names);
    return true;
  }

  private boolean takePartitions(String operator, List<Object> values) {
    if (!EQUALITIES.contains(operator)) {
      return false;
    }
    partitions = inBoth(partitions, values.stream());
    return true;
  }

  /** Return the values that earlier filters also allow. */
  private static Object[] inBoth(Object[] before, Stream<Object> values) {
    return values.filter(value -> before == null || Arrays.asList(before).contains(value)).toArray();
  }

  /** A number in a filter, rounded down and up to the unit of the bounds. */
  private record Rounded(long down, long up) {}

  private static List<Rounded> numbers(List<Object> values) {
    return rounded(values, 1);
  }

  /** Convert Spark's microseconds to milliseconds. */
  private static List<Rounded> milliseconds(List<Object> values) {
    return rounded(values, MICROSECONDS_OF_MILLISECOND);
  }

  private static List<Rounded> rounded(List<Object> values, long unit) {
    return values.stream()
        .filter(Number.class::isInstance)
        .map(value -> ((Number) value).longValue())
        .map(number -> new Rounded(Math.floorDiv(number, unit), -Math.floorDiv(-number, unit)))
        .toList();
  }

  private boolean takeRange(String operator, List<Rounded> values, int lowest, int highest) {
    boolean isEqual = EQUALITIES.contains(operator);
    if (values.isEmpty() || !(isEqual || FLIPPED.containsKey(operator))) {
      return false;
    }
    // Both ends are rounded outwards, so that no matching row is lost.
    if (isEqual || operator.startsWith(">")) {
      long least = values.stream().mapToLong(Rounded::down).min().getAsLong();
      bounds[lowest] = Math.max(bounds[lowest], least);
    }
    if (isEqual || operator.startsWith("<")) {
      long most = values.stream().mapToLong(Rounded::up).max().getAsLong();
      bounds[highest] = Math.min(bounds[highest], most);
    }
    return true;
  }
}
