package messagegen.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * What the filters of a query leave of offsets, times, topics and partitions. They only save reading: Spark applies all filters again.
 */
final class Bounds implements Serializable {
  private static final int MIN = 0;
  private static final int MAX = 1;
  private static final int OFFSET = 0;
  private static final int TIMESTAMP = 2;
  private static final long MICROSECONDS = 1000;

  /** Least and most offset, least and most millisecond, all inclusive. */
  final long[] limits = {Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE};
  /** Null: all. */
  String[] topics;
  /** Null: all. */
  String[] partitions;

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
    String name = isFlipped ? flipped(predicate.name()) : predicate.name();
    boolean isEqual = name.equals("=") || name.equals("<=>") || name.equals("IN");
    return switch (reference.fieldNames()[0]) {
      case "topic" -> isEqual && takeChoice(values, true);
      case "partition" -> isEqual && takeChoice(values, false);
      case "offset" -> takeRange(name, isEqual, values, OFFSET);
      case "timestamp" -> takeRange(name, isEqual, values, TIMESTAMP);
      default -> false;
    };
  }

  private static String flipped(String name) {
    return switch (name) {
      case "<" -> ">";
      case "<=" -> ">=";
      case ">" -> "<";
      case ">=" -> "<=";
      default -> name;
    };
  }

  private boolean takeChoice(List<Object> values, boolean isTopic) {
    String[] before = isTopic ? topics : partitions;
    String[] after =
        values.stream()
            .map(value -> value == null ? null : value.toString())
            .filter(value -> before == null || Arrays.stream(before).anyMatch(one -> Objects.equals(one, value)))
            .toArray(String[]::new);
    if (isTopic) {
      topics = after;
    } else {
      partitions = after;
    }
    return true;
  }

  private boolean takeRange(String name, boolean isEqual, List<Object> values, int at) {
    long[] known = values.stream().filter(Number.class::isInstance).mapToLong(value -> ((Number) value).longValue()).toArray();
    if (known.length == 0) {
      return false;
    }
    // Both ends are rounded outwards, to whole milliseconds.
    long unit = at == TIMESTAMP ? MICROSECONDS : 1;
    if (isEqual || name.startsWith(">")) {
      limits[at + MIN] = Math.max(limits[at + MIN], Math.floorDiv(Arrays.stream(known).min().getAsLong(), unit));
    }
    if (isEqual || name.startsWith("<")) {
      limits[at + MAX] = Math.min(limits[at + MAX], -Math.floorDiv(-Arrays.stream(known).max().getAsLong(), unit));
    }
    return isEqual || name.equals("<") || name.equals("<=") || name.equals(">") || name.equals(">=");
  }

  @Override
  public String toString() {
    return Arrays.toString(limits) + Arrays.toString(topics) + Arrays.toString(partitions);
  }
}
