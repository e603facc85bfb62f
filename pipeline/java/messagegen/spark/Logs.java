package messagegen.spark;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A catalog with a table for each topic of a log folder. With the settings {@code
 * spark.sql.catalog.logs=messagegen.spark.Logs} and {@code spark.sql.catalog.logs.path=/var/lib/kafka/data}, {@code
 * SELECT * FROM logs.orders} reads the topic {@code orders} with the source {@code kafka-log}.
 *
 * <p>{@link TableOptions} describes the other settings. There are no namespaces.
 */
public final class Logs implements TableCatalog {
  private Settings settings;

  @Override
  public void initialize(String name, CaseInsensitiveStringMap options) {
    settings = new Settings(name);
  }

  @Override
  public String name() {
    return settings.catalog();
  }

  /** Return the topics at the catalog's path, and the tables in its file. */
  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    if (namespace.length > 0) {
      throw new NoSuchNamespaceException(namespace);
    }
    TableOptions options = new TableOptions(settings);
    Set<String> names = new TreeSet<>(topics(options));
    names.addAll(options.names());
    return names.stream().map(name -> Identifier.of(namespace, name)).toArray(Identifier[]::new);
  }

  @Override
  public Table loadTable(Identifier table) throws NoSuchTableException {
    String name = table.name();
    if (table.namespace().length > 0) {
      throw new NoSuchTableException(table);
    }
    TableOptions options = new TableOptions(settings);
    if (!options.names().contains(name) && !topics(options).contains(name)) {
      throw new NoSuchTableException(table);
    }
    String fullName = name() + "." + name;
    try {
      return LogTable.of(fullName, options.of(name));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("table %s: %s".formatted(fullName, wrong.getMessage()), wrong);
    }
  }

  private static Set<String> topics(TableOptions options) {
    return new TreeSet<>(new Query(options.ofAll(), Map.of()).topics());
  }

  @Override
  public Table createTable(Identifier table, TableInfo description) {
    throw readOnly();
  }

  @Override
  public Table alterTable(Identifier table, TableChange... changes) {
    throw readOnly();
  }

  @Override
  public boolean dropTable(Identifier table) {
    throw readOnly();
  }

  @Override
  public void renameTable(Identifier from, Identifier to) {
    throw readOnly();
  }

  private UnsupportedOperationException readOnly() {
    String text = "the catalog %s is read-only; create tables in another catalog, and set options in the file of %s";
    return new UnsupportedOperationException(text.formatted(name(), settings.nameOf(TableOptions.FILE)));
  }
}
