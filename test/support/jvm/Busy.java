import java.util.ArrayList;
import java.util.List;

/** Two threads that compute, allocate and wait, until standard input is closed: it never outlives a test. */
public class Busy {
    static volatile double sink;
    static final List<byte[]> kept = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            Thread worker = new Thread(Busy::work, "worker-" + i);
            worker.setDaemon(true);
            worker.start();
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {
        }
    }

    static void work() {
        while (true) {
            sink += compute(30_000);
            allocate();
            rest();
        }
    }

    static double compute(int most) {
        double sum = 0;
        for (int i = 1; i < most; i++) sum += Math.sqrt(i);
        return sum;
    }

    static void allocate() {
        synchronized (kept) {
            kept.add(new byte[20_000]);
            if (kept.size() > 100) kept.clear();
        }
    }

    static void rest() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
