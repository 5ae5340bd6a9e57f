import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Contextual;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Requests that compute, that sleep, that wait for a socket or a lock, and that do both (JDK 25). The first argument is the
 * number of requests of each kind, the second one a file for the time that they took and the CPU time of their threads, by
 * the clocks of the JVM.
 */
public class ComputeOrWait {
    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    static final Object LOCK = new Object();
    static volatile double sink;

    @Name("shop.Operation")
    @StackTrace(false)
    static class Operation extends Event {
        @Contextual
        String operation;
    }

    interface Work {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        int requests = Integer.parseInt(args[0]);
        Map<String, long[]> measured = new TreeMap<>();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread slow = new Thread(() -> answer(server), "slow-server");
            slow.setDaemon(true);
            slow.start();
            Thread owner = new Thread(ComputeOrWait::own, "owner");
            owner.setDaemon(true);
            owner.start();
            try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                for (int request = 0; request < requests; request++) {
                    serve("compute", () -> compute(40), measured);
                    serve("sleep", () -> Thread.sleep(40), measured);
                    serve("mixed", () -> {
                        compute(15);
                        Thread.sleep(30);
                    }, measured);
                    serve("read", () -> read(socket), measured);
                    serve("lock", ComputeOrWait::lock, measured);
                }
            }
        }
        try (PrintStream out = new PrintStream(args[1])) {
            String between = "{";
            for (var each : measured.entrySet()) {
                out.printf("%s%n  \"%s\": { \"wallNs\": %d, \"cpuNs\": %d }", between, each.getKey(), each.getValue()[0],
                        each.getValue()[1]);
                between = ",";
            }
            out.printf("%n}%n");
        }
    }

    static void serve(String name, Work work, Map<String, long[]> measured) throws Exception {
        Operation operation = new Operation();
        operation.operation = name;
        long cpu = THREADS.getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        operation.begin();
        work.run();
        operation.commit();
        long[] sums = measured.computeIfAbsent(name, key -> new long[2]);
        sums[0] += System.nanoTime() - wall;
        sums[1] += THREADS.getCurrentThreadCpuTime() - cpu;
    }

    static void read(Socket socket) throws Exception {
        socket.getOutputStream().write(1);
        socket.getInputStream().read();
    }

    /** Answers each byte after a while. */
    static void answer(ServerSocket server) {
        try (Socket socket = server.accept()) {
            InputStream in = socket.getInputStream();
            while (in.read() >= 0) {
                Thread.sleep(40);
                socket.getOutputStream().write(1);
            }
        } catch (Exception ended) {
            // The program has ended.
        }
    }

    static void lock() {
        synchronized (LOCK) {
            sink++;
        }
    }

    /** Has the lock for most of the time. */
    static void own() {
        try {
            for (;;) {
                synchronized (LOCK) {
                    Thread.sleep(30);
                }
                Thread.sleep(5);
            }
        } catch (InterruptedException ended) {
            // The program has ended.
        }
    }

    /** Takes some milliseconds of processor time. */
    static void compute(int ms) {
        long end = System.nanoTime() + ms * 1_000_000L;
        double sum = 0;
        while (System.nanoTime() < end) for (int i = 1; i < 2_000; i++) sum += Math.sqrt(i);
        sink = sum;
    }
}
