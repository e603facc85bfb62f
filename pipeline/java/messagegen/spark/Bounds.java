package messagegen.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * What the filters of a query leave of offsets, times, topics and partitions. They only save reading: Spark applies all filters again.
 */
final class Bounds {
  private static final Map<String, String> FLIPPED = Map.of("<", ">", "<=", ">=", ">", "<", ">=", "<=");
  private static final int OFFSET = 0;
  private static final int TIMESTAMP = 2;

  /** Lowest and highest offset, lowest and highest millisecond, all inclusive, in the order of Rust's `Bounds`. */
  final long[] bounds = {Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE};
  /** Null: all. */
  Object[] topics;
  /** Null: all. */
  Object[] partitions;

  /** Takes the filters that it understands, and returns these. */
  Predicate[] take(Predicate[] predicates) {
    return Arrays.stream(predicates).filter(this::takeOne).toArray(Predicate[]::new);
  }

  private boolean takeOne(Predicate predicate) {
    Expression[] all = predicate.children();
    boolean isFlipped = all.length == 2 && all[0] instanceof Literal;
    Expression column = all.length == 0 ? null : all[isFlipped ? 1 : 0];
    if (!(column instanceof NamedReference reference) || reference.fieldNames().length != 1) {
      return false;
    }
    List<Object> values = new ArrayList<>();
    for (Expression each : all) {
      if (each instanceof Literal<?> literal) {
        values.add(literal.value());
      } else if (each != column) {
        return false;
      }
    }
    String name = isFlipped ? FLIPPED.getOrDefault(predicate.name(), predicate.name()) : predicate.name();
    boolean isEqual = name.equals("=") || name.equals("<=>") || name.equals("IN");
    return switch (reference.fieldNames()[0]) {
      case "topic" -> isEqual && takeChoice(values, true);
      case "partition" -> isEqual && takeChoice(values, false);
      case "offset" -> takeRange(name, isEqual, values, OFFSET);
      case "timestamp" -> takeRange(name, isEqual, values, TIMESTAMP);
      default -> false;
    };
  }

  private boolean takeChoice(List<Object> values, boolean isTopic) {
    Object[] before = isTopic ? topics : partitions;
    Object[] after =
        values.stream()
            .map(value -> isTopic && value != null ? value.toString() : value)
            .filter(value -> before == null || Arrays.asList(before).contains(value))
            .toArray();
    if (isTopic) {
      topics = after;
    } else {
      partitions = after;
    }
    return true;
  }

  private boolean takeRange(String name, boolean isEqual, List<Object> values, int at) {
    long[] known = values.stream().filter(Number.class::isInstance).mapToLong(value -> ((Number) value).longValue()).toArray();
    if (known.length == 0 || !(isEqual || FLIPPED.containsKey(name))) {
      return false;
    }
    // Both ends are rounded outwards, to whole milliseconds.
    long unit = at == TIMESTAMP ? 1000 : 1; // microseconds in Spark, milliseconds here
    if (isEqual || name.startsWith(">")) {
      bounds[at] = Math.max(bounds[at], Math.floorDiv(Arrays.stream(known).min().getAsLong(), unit));
    }
    if (isEqual || name.startsWith("<")) {
      bounds[at + 1] = Math.min(bounds[at + 1], -Math.floorDiv(-Arrays.stream(known).max().getAsLong(), unit));
    }
    return true;
  }
}
