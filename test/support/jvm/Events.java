import java.util.concurrent.locks.LockSupport;

/**
 * Threads that make events of each sample type, until standard input is closed: as many as the first argument says
 * compute and allocate, with a pause of as many milliseconds as the second says, 0 for none, in between; the others wait
 * in each way that JFR records, longer than the 10 ms of its settings "profile".
 */
public class Events {
    static volatile double sink;
    static volatile Object kept;
    static final Object contended = new Object();
    static final Object monitor = new Object();

    public static void main(String[] args) throws Exception {
        int busy = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int pause = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        for (int i = 0; i < busy; i++) start("busy-" + i, () -> compute(pause));
        start("contender-0", Events::hold);
        start("contender-1", Events::hold);
        start("sleeper", () -> Thread.sleep(15));
        start("waiter", Events::await);
        start("parker", () -> LockSupport.parkNanos(15_000_000));
        System.out.println("ready");
        while (System.in.read() >= 0) {
        }
    }

    interface Task {
        void run() throws InterruptedException;
    }

    static void start(String name, Task task) {
        Thread thread = new Thread(() -> repeat(task), name);
        thread.setDaemon(true);
        thread.start();
    }

    static void repeat(Task task) {
        try {
            while (true) task.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void compute(int pause) throws InterruptedException {
        double sum = 0;
        for (int i = 1; i < 20_000; i++) sum += Math.sqrt(i);
        sink = sum;
        for (int i = 0; i < 100; i++) kept = new byte[500];
        if (pause > 0) Thread.sleep(pause);
    }

    static void hold() throws InterruptedException {
        synchronized (contended) {
            Thread.sleep(15);
        }
    }

    static void await() throws InterruptedException {
        synchronized (monitor) {
            monitor.wait(15);
        }
    }
}
