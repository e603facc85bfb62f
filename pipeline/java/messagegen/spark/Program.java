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

/** What the native library made of the options of a function. All threads use the same one. */
final class Program {
  private static final int MOST = 256;

  private static final ReferenceQueue<Program> FORGOTTEN = new ReferenceQueue<>();

  /** They keep the handles of programs that are in use. */
  private static final Set<Held> HELD = ConcurrentHashMap.newKeySet();

  /** By what they are made of, the last one used at the end. */
  private static final Map<Source, Program> RECENT = new LinkedHashMap<>(16, 0.75f, true);

  private final long handle;
  private final boolean encodes;

  private Program(Source source) {
    encodes = source.rowType != null;
    handle = encodes ? source.openEncoder() : source.openFunction();
  }

  /**
   * What a program is made of. It goes to executors.
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

  /** The program of a source. Fails for unknown options, and for columns that no field has or can take. */
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

  /** For calls during which the program is kept from garbage collection. */
  long handle() {
    return handle;
  }

  /** The type of the results. */
  StructType resultType() {
    return (StructType) DataType.fromJson(Native.resultType(handle));
  }

  // A `Cleaner` has a thread, which would keep the class loader of a session that is over.
  private static void closeForgotten() {
    for (Object held = FORGOTTEN.poll(); held != null; held = FORGOTTEN.poll()) {
      ((Held) held).close();
      HELD.remove(held);
    }
  }

  /** The handle of a program that is closed when nobody can reach the program any more. */
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
