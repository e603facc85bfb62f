package messagegen.spark;

/** The number of segments that a plan reads, and the numbers of segments and partitions that it skips. */
record Planned(long segments, long skippedSegments, long skippedPartitions) {
  /** Return the numbers of the planner's latest plan. */
  static Planned by(long planner) {
    long[] numbers = Native.planned(planner);
    return new Planned(numbers[0], numbers[1], numbers[2]);
  }

  /** Return the counts of {@link Metrics#OF_PLAN}. */
  long[] counts() {
    return new long[] {segments, skippedSegments, skippedPartitions};
  }

  @Override
  public String toString() {
    return segments + " segments; skipped by filters: " + skippedSegments + " segments, " + skippedPartitions
        + " partitions";
  }
}
