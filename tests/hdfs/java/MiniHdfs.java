import java.io.File;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;

/** Two name nodes of a name service and a data node on loopback. The second name node is active. Ends when standard input ends. */
public final class MiniHdfs {
    private static final int ACTIVE = 1;
    private static final long ACK_NANOS = 10_000_000;

    public static void main(String[] args) throws Exception {
        HdfsConfiguration conf = new HdfsConfiguration();
        // Small blocks, so that files have several.
        conf.set("dfs.namenode.fs-limits.min-block-size", "0");
        conf.setLong("dfs.blocksize", 1 << 20);
        conf.setInt("dfs.replication", 1);
        conf.setInt("dfs.namenode.handler.count", 2);
        conf.setInt("dfs.datanode.handler.count", 2);
        DataNodeFaultInjector.set(new DataNodeFaultInjector() {
            @Override
            public void delaySendingAckToUpstream(String client) {
                // The name node hears of the block first. Otherwise clients that close a file are told to ask again in half a second.
                LockSupport.parkNanos(ACK_NANOS);
            }
        });
        MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf, new File(args[0]))
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(1)
            .build();
        cluster.waitActive();
        cluster.transitionToActive(ACTIVE);
        System.out.println("READY " + cluster.getNameNodePort(0) + " " + cluster.getNameNodePort(ACTIVE));
        while (System.in.read() >= 0) {
            // Nothing is expected.
        }
        // All of its files are thrown away.
        Runtime.getRuntime().halt(0);
    }
}
