import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Two threads that compute, allocate and wait, until standard input is closed: it never outlives a test. */
public class Busy {
    static volatile double sink;
    static final List<byte[]> kept = new ArrayList<>();
    static final CountDownLatch working = new CountDownLatch(2);

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            Thread worker = new Thread(Busy::work, "worker-" + i);
            worker.setDaemon(true);
            worker.start();
        }
        // Wherever a thread is sampled from now on, it is in work().
        working.await();
        System.out.println("ready");
        while (System.in.read() >= 0) {
        }
    }

    static void work() {
        working.countDown();
        for (int turn = 0; true; turn++) {
            sink += compute(15_000);
            allocate();
            // JFR's settings "profile" record only what sleeps for 10 ms.
            rest(turn % 20 == 0 ? 15 : 2);
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

    static void rest(int milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
