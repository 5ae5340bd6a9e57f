import java.util.concurrent.locks.LockSupport;

/**
 * Threads that stand where they are known to stand. `s` on standard input starts a thread "short", `e` ends it. The
 * program ends with its standard input.
 */
public class Known {
    static final Object lock = new Object();
    static volatile boolean shortRuns;

    public static void main(String[] args) throws Exception {
        start("deep-0", () -> down(40));
        start("deep-1", () -> down(5));
        start("holder", Known::hold);
        // The others have reached their places when the one that is blocked has.
        awaitState(start("blocked", Known::enter), Thread.State.BLOCKED);
        System.out.println("ready");
        Thread thread = null;
        for (int read; (read = System.in.read()) >= 0; ) {
            if (read == 's') {
                shortRuns = true;
                thread = start("short", Known::rest);
                awaitState(thread, Thread.State.WAITING);
            } else if (read == 'e' && thread != null) {
                shortRuns = false;
                LockSupport.unpark(thread);
            }
        }
    }

    static Thread start(String name, Runnable task) throws Exception {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        while (!isAtRest(thread)) Thread.sleep(1);
        return thread;
    }

    static boolean isAtRest(Thread thread) {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.BLOCKED;
    }

    static void awaitState(Thread thread, Thread.State state) throws Exception {
        while (thread.getState() != state) Thread.sleep(1);
    }

    static void down(int depth) {
        if (depth > 0) down(depth - 1);
        while (true) LockSupport.park();
    }

    static void hold() {
        synchronized (lock) {
            while (true) LockSupport.park();
        }
    }

    static void enter() {
        synchronized (lock) {
            throw new IllegalStateException("the lock is held for ever");
        }
    }

    static void rest() {
        while (shortRuns) LockSupport.park();
    }
}
