/** The checks that look for frames: patterns, thresholds and words, and no code. */
import type { FindingCheck } from './check.ts';
import type { Thresholds } from './finding.ts';
import { type FramePattern, words } from './frame-classes.ts';

type Words = FindingCheck['words'];

function onStacks(
  id: string,
  title: string,
  frames: FramePattern,
  thresholds: Thresholds,
  words: Words,
): FindingCheck {
  return { id, title, needs: 'cpu', frames, thresholds, words };
}

/** Thresholds in percent. */
const percent = (info: number, warn?: number): Thresholds =>
  warn === undefined ? { info: info / 100 } : { info: info / 100, warn: warn / 100 };

export const FRAME_CHECKS: readonly FindingCheck[] = [
  onStacks(
    'F3',
    'Regular expressions are compiled again and again',
    { any: ['java.util.regex.Pattern.compile'] },
    percent(1, 3),
    {
      why: 'A pattern is parsed into a tree of nodes at each compilation; matching with a compiled one costs a fraction.',
      doubt: 'The patterns may really be new each time, such as those that users type.',
      next: 'Keep the Pattern in a static final field. String.split, replaceAll and matches compile their argument at every call.',
    },
  ),
  onStacks(
    'F5',
    'Text is formatted on a hot path',
    {
      any: ['java.util.Formatter.format', 'java.text.MessageFormat.format', 'java.text.MessageFormat.<init>'],
    },
    percent(2, 5),
    {
      why: 'Format strings are parsed at every call, which costs some ten times as much as concatenation.',
      doubt: 'Writing formatted text may be the purpose of the program, as in reports.',
      next: 'Concatenate, or format only what somebody reads.',
    },
  ),
  onStacks(
    'F6',
    'Buffers and tables grow while they are filled',
    {
      any: words(`
        java.util.Arrays.copyOf java.util.HashMap.resize java.util.ArrayList.grow
        java.util.IdentityHashMap.resize
      `),
      below: words(`
        java.lang.AbstractStringBuilder.* java.util.ArrayList.* java.io.ByteArrayOutputStream.*
        java.util.HashMap.* java.util.IdentityHashMap.* java.util.PriorityQueue.* java.util.Vector.*
        java.io.CharArrayWriter.*
      `),
    },
    percent(1.5, 4),
    {
      why: 'Each time that a buffer is full, all that it holds is copied into a larger one.',
      doubt: 'A large result needs large copies, whatever its first size.',
      next: 'Give the buffer, list or map its expected size when it is made; a HashMap for n entries needs n / 0.75.',
    },
  ),
  onStacks(
    'F7',
    'Exceptions are made often',
    { any: ['java.lang.Throwable.<init>', 'java.lang.Throwable.fillInStackTrace'] },
    percent(1, 3),
    {
      why: 'An exception walks the stack when it is made, and the deeper the stack, the longer that takes.',
      doubt: 'It may be a real outage: look at the messages of the exceptions first.',
      next: 'Return a value where failure is usual, or make the exception without a stack trace.',
    },
  ),
  onStacks(
    'F8',
    'Reflection is looked up each time',
    {
      any: words(`
        java.lang.Class.getMethod java.lang.Class.getMethods java.lang.Class.getDeclaredMethod
        java.lang.Class.getDeclaredMethods java.lang.Class.getField java.lang.Class.getDeclaredField
        java.lang.Class.getDeclaredFields java.lang.Class.getFields java.lang.Class.getConstructor
        java.lang.Class.getDeclaredConstructor java.lang.Class.getDeclaredConstructors java.lang.Class.forName
        java.lang.reflect.Proxy.newProxyInstance
      `),
      isLate: true,
    },
    percent(1, 3),
    {
      why: 'Members of a class are searched and copied at each look-up; calling a method that was found is cheap.',
      doubt: 'Frameworks look up members while they start, and some start late.',
      next: 'Keep the Method, Field or MethodHandle that was found.',
    },
  ),
  onStacks(
    'F9',
    'Classes are still loaded',
    {
      any: ['java.lang.ClassLoader.loadClass', 'java.lang.ClassLoader.defineClass*', '*.defineClass*'],
      isLate: true,
    },
    percent(1, 2),
    {
      why: 'In the second half of a recording, a program has usually loaded what it needs.',
      doubt: 'A feature may have been used for the first time.',
      next: 'Look for classes that are generated or loaders that are made at each request.',
    },
  ),
  onStacks(
    'F10',
    'Call sites are linked at run time',
    {
      any: [
        'java.lang.invoke.MethodHandleNatives.linkCallSite*',
        'java.lang.invoke.InnerClassLambdaMetafactory.*',
      ],
      isLate: true,
    },
    percent(1, 2),
    {
      why: 'A lambda or a concatenation is linked at its first call; later ones are free.',
      doubt: 'The program may still be warming up.',
      next: 'Look for code that is generated or loaded again and again, such as scripts.',
    },
  ),
  onStacks(
    'F12',
    'Keys of a hash map collide',
    {
      any: [
        'java.util.HashMap$TreeNode.*',
        'java.util.concurrent.ConcurrentHashMap$TreeBin.*',
        'java.util.concurrent.ConcurrentHashMap$TreeNode.*',
      ],
    },
    percent(1, 3),
    {
      why: 'Buckets with eight keys or more become trees: many keys have equal hash codes, or equal low bits.',
      doubt: 'Some keys have few distinct hash codes by design.',
      next: 'Give the class of the keys a hashCode that uses all that tells them apart.',
    },
  ),
  onStacks(
    'F13',
    'hashCode or equals of your class is dear',
    {
      any: ['<own>.hashCode', '<own>.equals', '<own>.compareTo'],
      below: words(`
        java.util.HashMap.* java.util.concurrent.ConcurrentHashMap.* java.util.TreeMap.* java.util.Hashtable.*
        java.util.HashMap$TreeNode.*
      `),
    },
    percent(3, 8),
    {
      why: 'Maps call it at every look-up, so that its cost is paid many times for each key.',
      doubt: 'Long keys may be needed.',
      next: 'Keep the hash code in a field of an immutable key, or use a shorter key.',
    },
  ),
  onStacks(
    'F14',
    'Lists are searched from end to end',
    {
      any: words(`
        java.util.ArrayList.indexOf java.util.ArrayList.contains java.util.ArrayList.remove
        java.util.ArrayList.lastIndexOf java.util.LinkedList.get java.util.LinkedList.node
        java.util.LinkedList.indexOf java.util.concurrent.CopyOnWriteArrayList.add
        java.util.concurrent.CopyOnWriteArrayList.indexOf java.util.ArrayDeque.contains
      `),
    },
    percent(2, 5),
    {
      why: 'Each call looks at all elements, or copies them, so that n calls cost n².',
      doubt: 'Many calls on short lists cost the same time, and no other collection would be faster.',
      next: 'Use a HashSet for contains, an ArrayList or an iterator instead of LinkedList.get, a ConcurrentHashMap for sets that change.',
    },
  ),
  onStacks(
    'F15',
    'Logging takes much of the time',
    {
      any: words(`
        ch.qos.logback.classic.Logger.* org.apache.logging.log4j.spi.AbstractLogger.*
        org.apache.log4j.Category.* java.util.logging.Logger.* org.apache.logging.log4j.core.Logger.*
        org.apache.logging.slf4j.Log4jLogger.* org.tinylog.Logger.*
      `),
    },
    percent(3, 8),
    {
      why: 'Formatting and writing of messages are done in the threads that log.',
      doubt: 'Logging may be the purpose of the program.',
      next: 'Lower the level of the busiest messages, pass arguments instead of texts, or log asynchronously.',
    },
  ),
  onStacks(
    'F16',
    'Loggers ask who called them',
    {
      any: words(`
        ch.qos.logback.classic.spi.CallerData.extract org.apache.logging.log4j.util.StackLocator.calcLocation
        org.apache.logging.log4j.util.StackLocator.getStackTraceElement
        java.util.logging.LogRecord.inferCaller
      `),
    },
    percent(0.5, 2),
    {
      why: 'For the class and the line of a message, the stack is walked at every message.',
      doubt: 'None is known.',
      next: 'Take %C, %F, %L and %M out of the pattern of the messages.',
    },
  ),
  onStacks(
    'F17',
    'A mapper or a factory is made per call',
    {
      any: words(`
        com.fasterxml.jackson.databind.ObjectMapper.<init>
        com.fasterxml.jackson.databind.deser.DeserializerCache._createDeserializer*
        com.fasterxml.jackson.databind.introspect.POJOPropertiesCollector.* com.google.gson.Gson.<init>
        javax.xml.bind.JAXBContext.newInstance jakarta.xml.bind.JAXBContext.newInstance
        javax.xml.parsers.FactoryFinder.* javax.xml.stream.FactoryFinder.* javax.xml.transform.FactoryFinder.*
      `),
      isLate: true,
    },
    percent(1, 3),
    {
      why: 'These objects inspect classes or search for services when they are made, and are meant to be made once.',
      doubt: 'First requests may come late.',
      next: 'Make the object once, and share it: ObjectMapper, Gson and JAXBContext may be used by many threads.',
    },
  ),
  onStacks(
    'F18',
    'Connections are not reused',
    {
      any: words(`
        sun.security.ssl.*Handshake* javax.crypto.KeyAgreement.* sun.security.ssl.TrustStoreManager*
        sun.security.ssl.TrustManagerFactoryImpl.*
      `),
    },
    percent(2, 5),
    {
      why: 'Each new TLS connection computes keys and checks certificates.',
      doubt: 'Connections to many hosts, or from many clients, are new in any case.',
      next: 'Use one client with a pool of connections, and keep connections alive.',
    },
  ),
  onStacks(
    'F19',
    'Formats of dates and texts of a locale are made again and again',
    {
      any: words(`
        java.text.SimpleDateFormat.<init> java.time.format.DateTimeFormatter.ofPattern
        java.util.Calendar.getInstance java.util.ResourceBundle.getBundle java.text.NumberFormat.getInstance
        java.text.DecimalFormat.<init>
      `),
      isLate: true,
    },
    percent(1, 2),
    {
      why: 'Patterns and data of the locale are read at each construction.',
      doubt: 'They may differ from call to call.',
      next: 'Keep a DateTimeFormatter in a static final field; it may be used by many threads.',
    },
  ),
  onStacks(
    'F20',
    'Serialization, compression or XML takes much of the time',
    {
      any: words(`
        java.io.ObjectInputStream.readObject java.io.ObjectOutputStream.writeObject java.util.zip.Deflater.*
        java.util.zip.Inflater.* com.sun.org.apache.xerces.* org.apache.xerces.* com.sun.org.apache.xalan.*
      `),
    },
    percent(3, 8),
    {
      why: 'These formats are slow for what they carry, most of all in small pieces.',
      doubt: 'It may be wanted: the work has to be done where the peer asks for it.',
      next: 'Do not compress what is small or compressed already, reuse Deflater objects, or choose a lower level.',
    },
  ),
  onStacks(
    'F33',
    'Submitting threads run the tasks of a pool',
    { any: ['java.util.concurrent.ThreadPoolExecutor$CallerRunsPolicy.rejectedExecution'] },
    percent(2, 5),
    {
      why: 'The queue of the pool is full, so that the thread that hands out tasks does one itself and hands out none meanwhile.',
      doubt: 'CallerRunsPolicy is a way to slow down who submits, and may be meant so.',
      next: 'Compare how long tasks take with how fast they come: more threads, a longer queue, or refusing tasks.',
    },
  ),
  onStacks(
    'F34',
    'Sorting takes much of the time',
    {
      any: words(`
        java.util.TimSort.sort java.util.ComparableTimSort.sort java.util.DualPivotQuicksort.sort
        java.util.Arrays.legacyMergeSort
      `),
    },
    percent(10, 25),
    {
      why: 'Sorting all elements costs n log n comparisons, though often only the first few are needed.',
      doubt: 'The complete order may be needed.',
      next: 'Keep the best k in a PriorityQueue, keep the list sorted, or compute the keys of the comparator once.',
    },
  ),
];
