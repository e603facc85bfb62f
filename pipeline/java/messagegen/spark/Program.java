package messagegen.spark;

import java.io.Serializable;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** The native program of a function with certain options. All threads share it. */
final class Program {
  private static final int MOST = 256;

  private static final ReferenceQueue<Program> FORGOTTEN = new ReferenceQueue<>();

  /** The references that close native handles; the set keeps them reachable. */
  private static final Set<Held> HELD = ConcurrentHashMap.newKeySet();

  /** The recent programs by source, with the most recently used at the end. */
  private static final Map<Source, Program> RECENT = new LinkedHashMap<>(16, 0.75f, true);

  private final long handle;
  private final boolean encodes;

  private Program(Source source) {
    encodes = source.rowType != null;
    handle = encodes ? source.openEncoder() : source.openFunction();
  }

  /**
   * The source of a program. Spark sends it to executors.
   *
   * @param options as JSON
   * @param rowType the JSON of the type of rows that are encoded; null for a program that decodes
   */
  record Source(Plans.Plan plan, String options, String rowType) implements Serializable {
    static Source ofDecoder(Plans.Plan plan, Map<String, String> options) {
      return new Source(plan, Query.json(options), null);
    }

    static Source ofEncoder(Plans.Plan plan, Map<String, String> options, DataType rowType) {
      return new Source(plan, Query.json(options), rowType.json());
    }

    private long openFunction() {
      return Native.openFunction(plan.message(), plan.text(), options);
    }

    private long openEncoder() {
      return Native.openEncoder(plan.message(), plan.text(), options, rowType);
    }
  }

  /**
   * Return the program for a source. Fails for unknown options, and for columns that match no field or have a type that
   * does not fit the field.
   */
  static synchronized Program of(Source source) {
    Program program = RECENT.get(source);
    if (program == null) {
      Native.require();
      closeForgotten();
      program = new Program(source);
      HELD.add(new Held(program));
      RECENT.put(source, program);
      if (RECENT.size() > MOST) {
        RECENT.remove(RECENT.keySet().iterator().next());
      }
    }
    return program;
  }

  /** Return the native handle. The caller must keep the program reachable during the native call. */
  long handle() {
    return handle;
  }

  /** Return the type of the results. */
  StructType resultType() {
    return (StructType) DataType.fromJson(Native.resultType(handle));
  }

  // A `Cleaner` is not used: its thread would keep the class loader of an ended session alive.
  private static void closeForgotten() {
    for (Object held = FORGOTTEN.poll(); held != null; held = FORGOTTEN.poll()) {
      ((Held) held).close();
      HELD.remove(held);
    }
  }

  /** The handle of a program. It is closed after the program has become unreachable. */
  private static final class Held extends PhantomReference<Program> {
    private final long handle;
    private final boolean encodes;

    Held(Program program) {
      super(program, FORGOTTEN);
      handle = program.handle;
      encodes = program.encodes;
    }

    void close() {
      if (encodes) {
        Native.closeEncoder(handle);
      } else {
        Native.closeFunction(handle);
      }
    }
  }
}
