import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Two threads that compute, allocate and take a lock all the time. Each line of input is answered with the operations so far. */
public class Throughput {
    static final AtomicLong operations = new AtomicLong();
    static final List<byte[]> kept = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            Thread worker = new Thread(Throughput::work, "worker-" + i);
            worker.setDaemon(true);
            worker.start();
        }
        System.out.println("ready");
        for (int c = System.in.read(); c >= 0; c = System.in.read())
            if (c == '\n') System.out.println(operations.get());
    }

    static void work() {
        double sum = 0;
        while (true) {
            for (int i = 1; i < 2_000; i++) sum += Math.sqrt(i);
            synchronized (kept) {
                kept.add(new byte[200]);
                if (kept.size() > 1_000) kept.clear();
            }
            if (sum > 0) operations.incrementAndGet();
        }
    }
}
