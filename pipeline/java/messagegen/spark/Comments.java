package messagegen.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Column comments, from the descriptions of fields in a plan. */
final class Comments {
  private static final String ABOUT = " :about ";

  /** The start of a line that describes a message or struct: no name precedes the description. */
  private static final String ABOUT_OWNER = ABOUT + '"';

  private static final String OF_UNKNOWN_TAGS = "Tagged fields that the spec does not know, by tag.";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The described fields, by the name of their struct and then by each of their two names. */
  private final Map<String, Map<String, Described>> structs = new HashMap<>();

  private String message;

  private Comments(String plan) {
    Map<String, Described> fields = new HashMap<>();
    for (String line : (Iterable<String>) plan.lines()::iterator) {
      if (line.startsWith("struct ")) {
        String name = line.substring("struct ".length());
        message = message == null ? name : message;
        fields = structs.computeIfAbsent(name, unused -> new HashMap<>());
      } else if (line.startsWith("layout ")) {
        return;
      } else if (line.startsWith(ABOUT) && !line.startsWith(ABOUT_OWNER)) {
        String[] words = line.substring(ABOUT.length()).split(" ", 2);
        fields.get(words[0]).about = text(words[1]);
      } else if (line.startsWith(" ") && !line.startsWith(" :")) {
        // The words are the attribute, Kafka's name, the type and the default.
        String[] words = line.strip().split(" ", 4);
        Described field = new Described(words[2].replace("?", ""));
        fields.put(words[0], field);
        fields.put(words[1], field);
      }
    }
  }

  private static final class Described {
    private final String type;
    private String about;

    Described(String type) {
      this.type = type;
    }
  }

  /** Return the type of a message, with the comments from its plan added. */
  static StructType added(StructType type, String plan) {
    Comments comments = new Comments(plan);
    return comments.struct(type, comments.message);
  }

  /** Return columns, with the comments from a message's plan added to the column that contains the message. */
  static StructType addedToColumn(StructType columns, String name, String plan) {
    StructField[] fields = columns.fields().clone();
    for (int i = 0; i < fields.length; i++) {
      StructField field = fields[i];
      if (field.name().equals(name)) {
        StructType message = added((StructType) field.dataType(), plan);
        fields[i] = new StructField(name, message, field.nullable(), field.metadata());
      }
    }
    return new StructType(fields);
  }

  private StructType struct(StructType type, String name) {
    Map<String, Described> known = structs.getOrDefault(name, Map.of());
    StructField[] fields = new StructField[type.size()];
    for (int i = 0; i < fields.length; i++) {
      StructField field = type.fields()[i];
      fields[i] = known.containsKey(field.name()) ? described(field, known.get(field.name())) : undescribed(field);
    }
    return new StructType(fields);
  }

  private StructField described(StructField field, Described known) {
    MetadataBuilder metadata = new MetadataBuilder().putString("kafka.type", known.type);
    if (known.about != null) {
      metadata.putString("comment", String.join(" ", known.about.strip().split("\\s+")));
    }
    DataType type = within(field.dataType(), known.type.replace("[]", ""));
    return new StructField(field.name(), type, field.nullable(), metadata.build());
  }

  private static StructField undescribed(StructField field) {
    if (!field.name().toLowerCase().replace("_", "").equals("unknowntaggedfields")) {
      return field;
    }
    MetadataBuilder metadata = new MetadataBuilder().putString("comment", OF_UNKNOWN_TAGS);
    return new StructField(field.name(), field.dataType(), field.nullable(), metadata.build());
  }

  private DataType within(DataType type, String struct) {
    if (type instanceof StructType inner) {
      return struct(inner, struct);
    }
    if (type instanceof ArrayType array) {
      return new ArrayType(within(array.elementType(), struct), array.containsNull());
    }
    return type;
  }

  private static String text(String json) {
    try {
      return JSON.readValue(json, String.class);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException("the plan has an invalid text: " + json, wrong);
    }
  }
}
