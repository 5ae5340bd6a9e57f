import type { MethodNames } from '../profile/method-table.ts';
import { isErrorMethod } from '../profile/method-table.ts';
import { frameFamily } from '../text/frame-colour.ts';

/** Packages of well-known frameworks, servers, drivers and languages: calls of them are caused by the code above them. */
const FRAMEWORKS: readonly string[] = [
  ...[
    'org.springframework.',
    'org.apache.',
    'io.netty.',
    'com.fasterxml.',
    'org.hibernate.',
    'ch.qos.logback.',
  ],
  ...['org.slf4j.', 'com.google.common.', 'com.google.gson.', 'com.google.protobuf.', 'com.google.inject.'],
  ...[
    'kotlin.',
    'kotlinx.',
    'scala.',
    'groovy.',
    'org.codehaus.',
    'clojure.',
    'org.eclipse.',
    'io.undertow.',
  ],
  ...['reactor.', 'io.reactivex.', 'akka.', 'org.jboss.', 'org.wildfly.', 'com.zaxxer.', 'org.postgresql.'],
  ...[
    'com.mysql.',
    'org.mariadb.',
    'oracle.',
    'com.microsoft.sqlserver.',
    'org.h2.',
    'org.junit.',
    'org.mockito.',
  ],
  ...[
    'io.micrometer.',
    'io.opentelemetry.',
    'okhttp3.',
    'okio.',
    'javassist.',
    'net.bytebuddy.',
    'org.objectweb.asm.',
  ],
  ...['io.grpc.', 'io.vertx.', 'io.quarkus.', 'io.micronaut.', 'org.aspectj.', 'org.glassfish.', 'org.jooq.'],
  ...[
    'com.ibm.',
    'jakarta.',
    'org.gradle.',
    'org.openjdk.jmh.',
    'one.profiler.',
    'org.thymeleaf.',
    'org.yaml.',
  ],
];

/** `own`: prefixes of the project's classes. Whether a method is the program's own, as a test of its names. */
export function ownCode(own: readonly string[]): (names: MethodNames | undefined) => boolean {
  return (names) => {
    if (names === undefined || names.className === '' || isErrorMethod(names)) return false;
    const { className } = names;
    if (own.length > 0) return own.some((prefix) => className.startsWith(prefix));
    if (FRAMEWORKS.some((prefix) => className.startsWith(prefix))) return false;
    return frameFamily(`${className}.${names.methodName}`) === 'application';
  };
}
