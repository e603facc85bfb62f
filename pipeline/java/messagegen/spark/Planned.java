package messagegen.spark;

/** The segments that a plan reads, and what its filters leave out. */
record Planned(long segments, long skippedSegments, long skippedPartitions) {
  /** What the latest plan of a planner reads. */
  static Planned by(long planner) {
    long[] numbers = Native.planned(planner);
    return new Planned(numbers[0], numbers[1], numbers[2]);
  }

  /** The counts of {@link Metrics#OF_PLAN}. */
  long[] counts() {
    return new long[] {segments, skippedSegments, skippedPartitions};
  }

  @Override
  public String toString() {
    return segments + " segments; skipped by filters: " + skippedSegments + " segments, " + skippedPartitions
        + " partitions";
  }
}
