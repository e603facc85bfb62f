package messagegen.spark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.types.DataTypes;

/**
 * Makes functions from the plans in a folder. Most plans are damaged; each ends in functions or in an exception. File
 * names begin with the name of the message.
 */
public final class FuzzPlans {
  private FuzzPlans() {}

  public static void main(String[] arguments) throws Exception {
    int used = 0;
    int refused = 0;
    try (var files = Files.list(Path.of(arguments[0]))) {
      for (Path file : files.sorted().toList()) {
        String message = file.getFileName().toString().split("-")[0];
        Plans.Plan plan = new Plans.Plan(message, Files.readString(file));
        try {
          Map<String, String> options = Map.of("mode", "PERMISSIVE", "unknownTaggedFields", "true");
          DecodeFunction decoder = new DecodeFunction(plan, options);
          Decode function = (Decode) decoder.bind(Fuzz.arguments(DataTypes.BinaryType));
          function.invoke(new byte[] {0, 1, 2, 3, 4, 5, 6, 7}, 0);
          new EncodeFunction(plan, Map.of()).bind(Fuzz.arguments(function.resultType()));
          used++;
        } catch (IllegalArgumentException | IllegalStateException expected) {
          if (expected.getMessage() == null || expected.getMessage().contains("a defect of messagegen")) {
            throw expected;
          }
          refused++;
        }
      }
    }
    System.out.println(used + " plans used, " + refused + " refused");
    System.out.println("done");
  }
}
