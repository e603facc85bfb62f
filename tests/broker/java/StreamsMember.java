package messagegen.broker;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatRequest;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatResponse;

/**
 * A member of a streams group (KIP-1071) that does nothing but send heartbeats: the clients' jar has no public one.
 *
 * <p>Its topology reads one topic and keeps nothing. It talks to a broker that has to be the group's coordinator.
 */
final class StreamsMember implements AutoCloseable {
    private static final int LEAVE = -1;
    private static final String CLIENT_ID = "streams-member";

    private final String group;
    private final String memberId = Uuid.randomUuid().toString();
    private final Socket socket;
    private int correlationId;
    private int epoch;
    private List<StreamsGroupHeartbeatRequestData.TaskIds> tasks = List.of();

    StreamsMember(String host, int port, String group) throws IOException {
        this.group = group;
        this.socket = new Socket(host, port);
    }

    void join(String topic) throws IOException {
        StreamsGroupHeartbeatRequestData.Subtopology reads =
            new StreamsGroupHeartbeatRequestData.Subtopology().setSubtopologyId("0").setSourceTopics(List.of(topic));
        StreamsGroupHeartbeatRequestData.Topology topology =
            new StreamsGroupHeartbeatRequestData.Topology().setEpoch(0).setSubtopologies(List.of(reads));
        exchange(request()
            .setRebalanceTimeoutMs(5000)
            .setTopology(topology)
            .setProcessId(Uuid.randomUuid().toString())
            .setClientTags(List.of(new StreamsGroupHeartbeatRequestData.KeyValue().setKey("zone").setValue("a"))));
    }

    /** Says what it works on; gives the number of its tasks, which the broker may have changed. */
    int heartbeat() throws IOException {
        exchange(request());
        return tasks.stream().mapToInt(task -> task.partitions().size()).sum();
    }

    void leave() throws IOException {
        epoch = LEAVE;
        exchange(request());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private StreamsGroupHeartbeatRequestData request() {
        return new StreamsGroupHeartbeatRequestData()
            .setGroupId(group)
            .setMemberId(memberId)
            .setMemberEpoch(epoch)
            .setActiveTasks(tasks)
            .setStandbyTasks(List.of())
            .setWarmupTasks(List.of());
    }

    private void exchange(StreamsGroupHeartbeatRequestData data) throws IOException {
        short version = ApiKeys.STREAMS_GROUP_HEARTBEAT.latestVersion();
        StreamsGroupHeartbeatRequest request = new StreamsGroupHeartbeatRequest.Builder(data).build(version);
        RequestHeader header = new RequestHeader(ApiKeys.STREAMS_GROUP_HEARTBEAT, version, CLIENT_ID, correlationId++);
        ByteBuffer sent = request.serializeWithHeader(header);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(sent.remaining());
        out.write(sent.array(), sent.arrayOffset() + sent.position(), sent.remaining());
        out.flush();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] received = in.readNBytes(in.readInt());
        accept(((StreamsGroupHeartbeatResponse) AbstractResponse.parseResponse(ByteBuffer.wrap(received), header)).data());
    }

    private void accept(StreamsGroupHeartbeatResponseData answer) {
        if (answer.errorCode() != Errors.NONE.code()) {
            throw Errors.forCode(answer.errorCode()).exception(answer.errorMessage());
        }
        epoch = answer.memberEpoch();
        if (answer.activeTasks() != null) {
            tasks = answer.activeTasks().stream()
                .map(task -> new StreamsGroupHeartbeatRequestData.TaskIds().setSubtopologyId(task.subtopologyId()).setPartitions(task.partitions()))
                .toList();
        }
    }
}
