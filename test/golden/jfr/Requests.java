import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import jdk.jfr.Contextual;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Requests of a shop with contextual events (JDK 25): a trace around each request, an operation in it, and in some operations
 * another one. Half of the requests are served by platform threads, half by virtual ones. One checkout in 25 is slow.
 * The first argument is the number of requests.
 */
public class Requests {
    static volatile double sink;

    @Name("shop.Trace")
    @Label("Trace")
    @StackTrace(false)
    static class Trace extends Event {
        @Contextual
        @Label("Trace Identifier")
        String id;
        @Contextual
        @Label("Customer")
        String customer;
        @Contextual
        @Label("Attempt")
        int attempt;
        @Label("Not said of other events")
        String remark;
    }

    @Name("shop.Operation")
    @Label("Operation")
    @StackTrace(false)
    static class Operation extends Event {
        @Contextual
        @Label("Operation")
        String operation;
    }

    public static void main(String[] args) throws Exception {
        int requests = Integer.parseInt(args[0]);
        Semaphore atOnce = new Semaphore(3);
        try (var platform = Executors.newFixedThreadPool(2, Thread.ofPlatform().name("http-", 0).factory());
                var virtual = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("virtual-", 0).factory())) {
            for (int request = 0; request < requests; request++) {
                int number = request;
                atOnce.acquire();
                (request % 2 == 0 ? platform : virtual).execute(() -> {
                    serve(number);
                    atOnce.release();
                });
            }
        }
    }

    static void serve(int number) {
        Trace trace = new Trace();
        trace.id = "trace-" + number;
        trace.customer = number % 10 == 0 ? "gold" : "other";
        trace.attempt = number % 3;
        trace.remark = "x";
        trace.begin();
        Operation operation = new Operation();
        operation.operation = number % 4 < 2 ? "search" : "checkout";
        operation.begin();
        if (number % 4 < 2) search();
        else checkout(number);
        operation.commit();
        compute(1);
        trace.commit();
    }

    static void search() {
        compute(8);
    }

    static void checkout(int number) {
        price();
        Operation store = new Operation();
        store.operation = "store";
        store.begin();
        compute(5);
        store.commit();
        if (number % 100 < 4) reindex();
    }

    static void price() {
        compute(6);
    }

    static void reindex() {
        compute(120);
    }

    /** Takes some milliseconds of processor time. */
    static void compute(int ms) {
        long end = System.nanoTime() + ms * 1_000_000L;
        double sum = 0;
        while (System.nanoTime() < end) for (int i = 1; i < 2_000; i++) sum += Math.sqrt(i);
        sink = sum;
    }
}
