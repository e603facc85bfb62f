package messagegen.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.apache.kafka.common.protocol.ApiMessage;

/** A generated message class and its JsonConverter, if any. They share no type, so they are called by reflection. */
final class MessageClass {
    private final Constructor<? extends ApiMessage> constructor;
    private final Method read;
    private final Method write;

    MessageClass(Class<? extends ApiMessage> data, Class<?> converter) throws NoSuchMethodException {
        this.constructor = data.getConstructor();
        this.read = converter == null ? null : converter.getMethod("read", JsonNode.class, short.class);
        this.write = converter == null ? null : writer(converter, data);
    }

    /** Finds the writer of a converter. In Kafka 2.7, it does not have the flag for records. */
    private static Method writer(Class<?> converter, Class<?> data) throws NoSuchMethodException {
        try {
            return converter.getMethod("write", data, short.class, boolean.class);
        } catch (NoSuchMethodException problem) {
            return converter.getMethod("write", data, short.class);
        }
    }

    ApiMessage create() throws ReflectiveOperationException {
        return constructor.newInstance();
    }

    boolean hasJson() {
        return read != null;
    }

    ApiMessage fromJson(JsonNode json, short version) throws ReflectiveOperationException {
        return (ApiMessage) read.invoke(null, json, version);
    }

    JsonNode toJson(ApiMessage message, short version) throws ReflectiveOperationException {
        return (JsonNode) (write.getParameterCount() == 2
            ? write.invoke(null, message, version)
            : write.invoke(null, message, version, true));
    }
}
