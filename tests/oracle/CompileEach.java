import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Runs javac once for each argument file, all in one JVM, because the first run takes most of the time. */
public final class CompileEach {
  private CompileEach() {}

  public static void main(String[] files) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    for (String file : List.of(files)) {
      int code = compiler.run(null, null, null, "@" + file);
      if (code != 0) {
        System.exit(code);
      }
    }
  }
}
