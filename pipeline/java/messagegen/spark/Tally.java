package messagegen.spark;

/** The counts of a reader; the last three count rows that were left out. */
record Tally(long files, long bytes, long rows, long damagedBatches, long control, long uncommitted, long byMode) {
  /** Create a tally from the numbers of {@link Native#tally}. */
  static Tally of(long[] numbers) {
    return new Tally(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]);
  }

  /** Return the counts for {@link Metrics#OF_TASKS}. Spark counts the rows itself. */
  long[] counts() {
    return new long[] {bytes, damagedBatches, control, uncommitted, byMode};
  }

  @Override
  public String toString() {
    String read = rows + " rows, " + bytes + " bytes of " + files + " files; " + damagedBatches + " damaged batches";
    return read + "; left out: " + control + " control, " + uncommitted + " uncommitted, " + byMode + " by mode";
  }
}
