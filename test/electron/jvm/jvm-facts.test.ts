import { expect, test } from 'vitest';
import { abilitiesOf, honestAgentIn, type Jvm } from '../../../electron/jvm/jvm.ts';
import { parseProperties } from '../../../electron/jvm/attach.ts';
import {
  allJvmArguments,
  parseJavaCommand,
  parseMainCommand,
  shownCommand,
} from '../../../electron/jvm/command-line.ts';
import { findJvm } from '../../../electron/jvm/jvm-list.ts';
import { parseRecordings } from '../../../electron/recording/flight-recorder.ts';
import { parseStatus, parseTimes } from '../../../electron/jvm/process-places.ts';

test('the main class or jar of a command line', () => {
  const main = (line: string): string => {
    const { jvmArguments, main, mainArguments } = parseJavaCommand(line.split(' '));
    return `${jvmArguments.join(',')} | ${main} | ${mainArguments}`;
  };
  expect(main('java')).toBe(' | java | ');
  expect(main('/opt/jdk/bin/java -Xmx1g -cp a:b demo.Shop x -y')).toBe('-Xmx1g,-cp,a:b | demo.Shop | x -y');
  expect(main('java -Xss1m -jar /srv/app/shop.jar --port 80')).toBe('-Xss1m | shop.jar | --port 80');
  expect(main('java -p mods -m shop/demo.Shop')).toBe('-p,mods | shop/demo.Shop | ');
  expect(main('java dir/Busy.java one')).toBe(' | Busy.java | one');
  expect(parseMainCommand('/srv/shop.jar a b')).toEqual({ main: 'shop.jar', mainArguments: 'a b' });
  expect(parseMainCommand('jdk.compiler/com.sun.tools.javac.launcher.Main d/Busy.java 3')).toEqual({
    main: 'Busy.java',
    mainArguments: '3',
  });
});

test('arguments of a JVM from files and variables, and each once', () => {
  expect(
    allJvmArguments(['-cp', 'a:b', '-Da=b -c', '-Xmx1g'], '-Dtool=1 -Da=b -c -Xmx1g -Dfile=x y'),
  ).toEqual(['-Dtool=1', '-Dfile=x y', '-cp', 'a:b', '-Da=b -c', '-Xmx1g']);
  expect(allJvmArguments(['-Xmx1g'])).toEqual(['-Xmx1g']);
});

test('a command line that is too long keeps the arguments of the program, and the ends of its options', () => {
  const path = `/first.jar:${'/x/y.jar:'.repeat(10_000)}/last.jar`;
  const jvm = { jvmArguments: ['-Xmx1g', '-cp', path], main: 'demo.Shop', mainArguments: '--port 80' };
  const shown = shownCommand(jvm, 600);
  expect(shown).toMatch(/^-Xmx1g -cp \/first\.jar:\S{5,}…\S{5,}:\/last\.jar demo\.Shop --port 80$/);
  expect(shownCommand({ ...jvm, jvmArguments: [] }, 600)).toBe('demo.Shop --port 80');
  const many = Array.from({ length: 1_000 }, (_, at) => `-Dname${at}=${path}`);
  expect(shownCommand({ ...jvm, jvmArguments: many }, 600)).toMatch(
    /^-Dname0=\S+ .*…\S+ -Dname999=\S+ demo\.Shop --port 80$/,
  );
  for (const each of [jvm, { ...jvm, jvmArguments: many }, { ...jvm, mainArguments: path }])
    for (const most of [100, 600]) expect(shownCommand(each, most).length).toBeLessThanOrEqual(most);
});

test("Honest Profiler's agent, its log and control port", () => {
  const agent = (options: string): unknown =>
    honestAgentIn(['-Xmx1g', `-agentpath:/opt/liblagent.so${options}`], '/srv');
  const library = '/opt/liblagent.so';
  expect(agent('')).toEqual({ library, log: undefined, control: undefined });
  expect(agent('=interval=7,logPath=a/b.hpl,port=4242,host=localhost')).toEqual({
    library,
    log: '/srv/a/b.hpl',
    control: { host: 'localhost', port: 4242 },
  });
  expect(agent('=logPath=/var/a.hpl,port=99999,host=h')).toEqual({
    library,
    log: '/var/a.hpl',
    control: undefined,
  });
  expect(honestAgentIn(['-agentlib:lagent=logPath=a.hpl'], '/srv')).toEqual({
    library: 'lagent',
    log: '/srv/a.hpl',
    control: undefined,
  });
  for (const other of [
    '-agentpath:/opt/libasyncProfiler.so=start',
    '-agentlib:jdwp=logPath=a',
    '-agentlib:lagents',
  ])
    expect(honestAgentIn([other], '/')).toBeUndefined();
});

test('a command line of any length is understood, without the stack', () => {
  const launcher = 'com.sun.tools.javac.launcher.Main ';
  const { main, mainArguments } = parseMainCommand(launcher.repeat(100_000));
  expect([main, mainArguments.length]).toEqual([launcher.trim(), launcher.length * 99_998]);
  const commas = (count: number): unknown =>
    honestAgentIn([`-agentpath:/x/liblagent.so=${','.repeat(count)}logPath=/a.hpl`], '/');
  expect(commas(1_000)).toMatchObject({ log: '/a.hpl' });
  expect(commas(20_000)).toMatchObject({ log: undefined });
});

test('what versions can do', () => {
  const can = (version: string | undefined): string => abilitiesOf(version).join(' ');
  expect(
    [
      '25.0.3',
      '17',
      '14-ea',
      '13.0.2',
      '11.0.22',
      '10.0.1',
      '1.8.0_262',
      '1.8.0_252',
      '1.7.0_80',
      undefined,
    ].map(can),
  ).toEqual([
    'jfr dumps',
    'jfr dumps',
    'jfr dumps',
    'jfr-dump dumps',
    'jfr-dump dumps',
    'dumps',
    'jfr-dump dumps',
    'dumps',
    'dumps',
    'dumps',
  ]);
});

test('numbers of a process: user, pid in a container, SIGQUIT', () => {
  const status = (namespaces: string, caught: string): string =>
    `Name:\tjava\nUid:\t1000\t1001\t1000\t1000\nNSpid:\t${namespaces}\nSigCgt:\t${caught}\n`;
  expect(parseStatus(status('77', '2000000181005ccf'), 77)).toEqual({
    user: 1001,
    ownPid: 77,
    catchesQuit: true,
  });
  expect(parseStatus(status('77\t5\t1', '0000000181005ccb'), 77)).toEqual({
    user: 1001,
    ownPid: 1,
    catchesQuit: false,
  });
  expect(parseStatus('', 77)).toBeUndefined();
  const timesOf = (state: string, threads: number): object | undefined =>
    parseTimes(
      `77 (a b) c) ${state} 1 77 77 0 -1 4194304 9 0 0 0 250 50 0 0 20 0 ${threads} 0 12345 3e9 1 2`,
    );
  const times = { startTicks: 12345, cpuTicks: 300 };
  expect(timesOf('S', 30)).toEqual({ ...times, threads: 30, hasEnded: false });
  // The first thread has ended.
  expect(timesOf('Z', 29)).toEqual({ ...times, threads: 29, hasEnded: false });
  expect(timesOf('Z', 1)).toEqual({ ...times, threads: 1, hasEnded: true });
  expect(parseTimes('77 (java')).toBeUndefined();
});

test('names of JVMs: a pid, a whole name, a part of one name', () => {
  const jvm = (pid: number, main: string): Jvm => ({ pid, main }) as Jvm;
  const jvms = [
    jvm(7, 'demo.Shop'),
    jvm(8, 'demo.ShopTest'),
    jvm(9, 'Web'),
    jvm(10, 'Web'),
    jvm(11, 'x7.jar'),
  ];
  const found = (name: string): string => {
    const result = findJvm(jvms, name);
    return 'jvm' in result
      ? String(result.jvm.pid)
      : `none of ${result.matches.map(({ pid }) => pid).join(' ')}`;
  };
  expect(['7', 'demo.Shop', 'shoptest', 'shop', 'Web', 'X7', 'nobody', ''].map(found)).toEqual([
    '7',
    '7',
    '8',
    'none of 7 8',
    'none of 9 10',
    '11',
    'none of ',
    'none of ',
  ]);
});

// No such JVM is here: as the JFR.check of OpenJDK 8u262 and 11 prints them (DCmdCheck, jfrDcmds.cpp).
test('the lists of recordings of JDK 8 and 11', () => {
  const name = 'leanscope-12-345-4026531836-0a1b2c3d';
  const own = `Recording 1: name=${name} maxsize=100.0MB (running)\n`;
  const theirs = 'Recording 2: name=2 duration=1m maxsize=250.0MB maxage=1d (delayed)\n';
  expect(parseRecordings(`${own}\n${theirs}`)).toEqual([
    { id: 1, name, state: 'running' },
    { id: 2, name: '2', state: 'delayed' },
  ]);
  const none = [
    'No available recordings.\n\nUse jcmd 7 JFR.start to start a recording.\n',
    'No available recordings.\n\nUse JFR.start to start a recording.\n\n',
    'Flight Recorder is disabled.\n\n',
  ];
  for (const text of none) expect(parseRecordings(text)).toEqual([]);
});

test('the list of recordings, and properties with escapes', () => {
  const text = [
    'Recording 1: name=leanscope-12-ab maxsize=100.0MB (running)',
    '',
    'Recording 2: name=My (own) recording duration=1m maxage=1h (stopped)',
    'Recording 3: name=plain (new)',
  ].join('\n');
  expect(parseRecordings(text)).toEqual([
    { id: 1, name: 'leanscope-12-ab', state: 'running' },
    { id: 2, name: 'My (own) recording', state: 'stopped' },
    { id: 3, name: 'plain', state: 'new' },
  ]);
  expect(parseRecordings('No available recordings.\n')).toEqual([]);
  const properties = parseProperties('#now\njdk.jfr.repository=/tmp/a\\:b\\\\c\nline=a\\nb\\u00e9\n');
  expect([...properties]).toEqual([
    ['jdk.jfr.repository', '/tmp/a:b\\c'],
    ['line', 'a\nb\u00e9'],
  ]);
});
