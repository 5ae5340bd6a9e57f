import java.util.concurrent.Executors;

/** A program of a few seconds for a recording of JDK 25: a timed method, platform and virtual threads. */
public final class Timed25 {
  static volatile long sink;

  static long price(int rounds) {
    long sum = 0;
    for (int at = 0; at < rounds; at++) sum += Long.toString(at).hashCode();
    return sum;
  }

  static void pay() {
    sink += price(20_000);
  }

  public static void main(String[] args) throws Exception {
    long until = System.nanoTime() + 2_000_000_000L;
    try (var virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int thread = 0; thread < 2; thread++)
        virtual.submit(() -> {
          while (System.nanoTime() < until) {
            pay();
            try {
              Thread.sleep(1);
            } catch (InterruptedException e) {
              return;
            }
          }
        });
      while (System.nanoTime() < until) pay();
    }
  }
}
