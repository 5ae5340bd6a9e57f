/** Methods in which a thread waits, as `class.method`; `*` stands for any text. Who is in one uses no processor. */
export const WAITING_METHODS: readonly string[] = [
  'java.lang.Object.wait',
  'java.lang.Object.wait0',
  'java.lang.Thread.sleep',
  'java.lang.Thread.sleep0',
  'java.lang.Thread.sleepNanos0',
  'jdk.internal.misc.Unsafe.park',
  'sun.misc.Unsafe.park',
  'sun.nio.ch.EPoll.wait',
  'sun.nio.ch.EPollArrayWrapper.epollWait',
  'sun.nio.ch.KQueue.poll',
  'sun.nio.ch.WEPoll.wait',
  'sun.nio.ch.Net.poll',
  'sun.nio.ch.Net.accept',
  'sun.nio.ch.ServerSocketChannelImpl.accept0',
  'java.net.PlainSocketImpl.socketAccept',
  'java.net.SocketInputStream.socketRead0',
  'sun.nio.ch.SocketDispatcher.read0',
  'sun.nio.ch.UnixDomainSockets.accept0',
  'java.lang.ref.Reference.waitForReferencePendingList',
  'java.lang.ref.ReferenceQueue.remove',
  'java.lang.ProcessImpl.waitForProcessExit0',
  'sun.nio.fs.LinuxWatchService.poll',
  'io.netty.channel.epoll.Native.epollWait',
  '*epoll_wait',
  '*__poll',
  '*pthread_cond_wait*',
  '*pthread_cond_timedwait*',
  '*futex_wait*',
  '*nanosleep',
];

/** Methods that wait for a lock. Who waits in one is blocked by another thread, and not idle. */
export const LOCKING_METHODS: readonly string[] = [
  'java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire*',
];

/** Methods that wait for an event by means of a lock. */
export const AWAITING_METHODS: readonly string[] = ['*ConditionObject.await*', '*.CountDownLatch.await'];

/** A text in which `*` stands for any characters, as an expression for whole names. */
export function wildcard(text: string): RegExp {
  const escaped = text.split('*').map((part) => part.replace(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${escaped.join('.*')}$`, 's');
}

/** A test of names for one of these texts. */
export function isOneOf(texts: readonly string[]): (name: string) => boolean {
  const exact = new Set(texts.filter((text) => !text.includes('*')));
  const wild = texts.filter((text) => text.includes('*')).map(wildcard);
  return (name) => exact.has(name) || wild.some((each) => each.test(name));
}
