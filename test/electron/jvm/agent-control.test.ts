import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type AgentAddress, AgentControl } from '../../../electron/jvm/agent-control.ts';
import { FakeControlPort, listenAsAgent } from '../../support/fake-control-port.ts';
import { listedJvm } from '../../support/listed-jvm.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { NO_JVM, startJvm } from '../../support/test-jvm.ts';
import { testUnless } from '../../support/test-unless.ts';

test('status, settings, start and stop', async () => {
  const agent = new FakeControlPort();
  const control = new AgentControl(await listenAsAgent(agent));
  expect(await control.status()).toEqual({ isSampling: false, logPath: '/tmp/app.hpl' });
  await control.set({ intervalMin: 2, intervalMax: 7, maxFrames: 2047, logPath: 'b.hpl' });
  expect(await control.state()).toEqual({
    isSampling: false,
    logPath: 'b.hpl',
    intervalMin: 2,
    intervalMax: 7,
    maxFrames: 2047,
  });
  await control.set({ intervalMin: 3 });
  await control.set({ intervalMax: 9 });
  expect(await control.get('interval')).toBe('3 9');
  expect(await control.start()).toEqual({ isSampling: true, logPath: 'b.hpl' });
  expect(await control.start()).toEqual({ isSampling: true, logPath: 'b.hpl' });
  expect(await control.stop()).toEqual({ isSampling: false, logPath: 'b.hpl' });
  expect(agent.commands.filter((command) => command.startsWith('set'))).toEqual([
    'set interval 2 7',
    'set maxFrames 2047',
    'set logPath b.hpl',
    'set intervalMin 3',
    'set intervalMax 9',
  ]);
});

test('what the agent refuses without a word is said', async () => {
  const agent = new FakeControlPort();
  const address = await listenAsAgent(agent);
  const control = new AgentControl(address);
  const name = `agent at 127.0.0.1:${address.port}: `;
  agent.isSampling = true;
  await expect(control.set({ maxFrames: 5 })).rejects.toThrow(
    `${name}is sampling, and would ignore new settings`,
  );
  agent.isSampling = false;
  await expect(control.set({ maxFrames: 5000 })).rejects.toThrow('has not taken maxFrames 5000: it is 128');
  await expect(control.set({ logPath: 'a b.hpl' })).rejects.toThrow('takes no path with blanks');
  await expect(control.set({ logPath: 'x'.repeat(100) })).rejects.toThrow(
    'reads commands of 99 bytes at most',
  );
  await expect(control.set({ logPath: 'a\0b' })).rejects.toThrow('control characters');
  expect(agent.logPath).toBe('/tmp/app.hpl');
  agent.isBroken = true;
  await expect(control.start()).rejects.toThrow('was told to start, and has not');
});

test('an agent that does not know a parameter', async () => {
  const agent = new FakeControlPort();
  agent.answer = (command) => (command === 'get maxFrames' ? '' : 'stopped,\n');
  const control = new AgentControl(await listenAsAgent(agent));
  await expect(control.get('maxFrames')).rejects.toThrow('does not know maxFrames');
  expect(await control.status()).toEqual({ isSampling: false, logPath: '' });
});

test('an agent from before its settings could be queried: what it tells is shown', async () => {
  const agent = new FakeControlPort();
  const { port } = await listenAsAgent(agent);
  const answered = agent.answer.bind(agent);
  agent.answer = (command) => (/^[gs]et /.test(command) ? '' : answered(command));
  const at = `127.0.0.1:${port}`;
  expect((await runCli(['agent', at, 'status'])).stdout).toBe('sampling   no\nlog        /tmp/app.hpl\n');
  expect((await runCli(['agent', at, 'status', '--json'])).stdout).toBe(
    '{"schema":"leanscope-agent","version":1,"isSampling":false,"logPath":"/tmp/app.hpl","intervalMin":null,"intervalMax":null,"maxFrames":null}\n',
  );
  expect((await runCli(['agent', at, 'get', 'maxFrames'])).stderr).toContain('does not know maxFrames');
});

/** Replies that no agent gives. */
const HOSTILE: Readonly<Record<string, (socket: Socket) => void>> = {
  'has not answered status, and may be no agent': (socket) => socket.end(),
  'has not answered status, and': (socket) => socket.destroy(),
  'answered status with "HTTP/1.1 400 Bad Request\\r\\n"': (socket) =>
    socket.end('HTTP/1.1 400 Bad Request\r\n'),
  'answered status with "started,/a\\nmore\\n"': (socket) => socket.end('started,/a\nmore\n'),
  'answered status with "running,/a\\n"': (socket) => socket.end('running,/a\n'),
  'answered status with "\\u0000': (socket) => socket.end('\0'.repeat(100)),
  'answers at length': (socket) => socket.write('started,'.padEnd(9000, 'x')),
  'has not answered status within 0.2 s': (socket) => {
    const timer = setInterval(() => socket.write('x'), 10);
    socket.on('close', () => clearInterval(timer));
  },
};

for (const [reason, handle] of Object.entries(HOSTILE))
  test(`a hostile reply: ${reason}`, async () => {
    const address = await listenAsAgent(new FakeControlPort(), (socket) => {
      socket.once('data', () => handle(socket));
    });
    // Only an answer that never ends is not waited for: any other may be slow.
    const limitMs = reason.endsWith('within 0.2 s') ? 200 : undefined;
    await expect(new AgentControl(address, limitMs).status()).rejects.toThrow(reason);
  });

test('nobody listens, a connection that is never answered', async () => {
  const silent = await listenAsAgent(new FakeControlPort(), () => undefined);
  await expect(new AgentControl(silent, 100).status()).rejects.toThrow('within 0.1 s');
  const closed: AgentAddress = { host: '127.0.0.1', port: 1 };
  await expect(new AgentControl(closed).status()).rejects.toThrow(
    'agent at 127.0.0.1:1: nothing listens there; the JVM may have ended',
  );
});

test('the command line', async () => {
  const agent = new FakeControlPort();
  const { port } = await listenAsAgent(agent);
  const said = async (...argv: string[]): Promise<string> => {
    const { status, stdout, stderr } = await runCli(['agent', ...argv]);
    return `${status} ${stdout}${stderr}`;
  };
  const at = `127.0.0.1:${port}`;
  expect(await said(at, 'status')).toBe(
    '0 sampling   no\nlog        /tmp/app.hpl\ninterval   1 ms\nmaxFrames  128\n',
  );
  expect(await said(at, 'set', 'interval', '2', '9')).toBe('0 set; used from the next start on\n');
  expect(await said(at, 'get', 'interval')).toBe('0 2 9\n');
  expect(await said(at, 'set', 'interval', '7')).toMatch(/^0/);
  expect(await said(at, 'start')).toBe('0 sampling into /tmp/app.hpl\n');
  expect(await said(at, 'set', 'maxFrames', '9')).toMatch(/^1 agent at .* stop it first\n$/);
  expect(await said(at, 'status', '--json')).toBe(
    '0 {"schema":"leanscope-agent","version":1,"isSampling":true,"logPath":"/tmp/app.hpl","intervalMin":7,"intervalMax":7,"maxFrames":128}\n',
  );
  expect(await said(at, 'stop')).toBe('0 stopped; the log is /tmp/app.hpl\n');
  for (const wrong of [
    [],
    [at],
    [at, 'status2'],
    [at, 'get', 'nothing'],
    [at, 'get', 'interval', '1'],
    [at, 'set', 'maxFrames'],
    [at, 'set', 'maxFrames', '2048'],
    [at, 'set', 'interval', '9', '2'],
    [at, 'set', 'interval', '0'],
    ['options', 'what=1'],
    ['options', 'maxFrames=0'],
  ])
    expect(await said(...wrong), wrong.join(' ')).toMatch(
      /^2 leanscope: .*(; see|\? See) leanscope agent --help\n$/,
    );
  expect(await said('no.such.Program', 'status')).toMatch(
    /^1 no\.such\.Program: no JVM has this pid or name|no JVM runs/,
  );
  expect(
    await said('options', 'interval=7', 'logPath=/tmp/my log.hpl', '--library', '/opt/liblagent.so'),
  ).toBe("0 java '-agentpath:/opt/liblagent.so=interval=7,logPath=/tmp/my log.hpl' …\n");
  expect(await said('options')).toMatch(
    /^0 java -agentpath:\/path\/to\/liblagent\.so …\n\n.*\n\n {2}interval\n/,
  );
});

const PERL = '/usr/bin/perl';
const CAN_UNSHARE = existsSync(PERL) && spawnSync('unshare', ['-n', 'true']).status === 0;

testUnless(CAN_UNSHARE ? undefined : 'it needs perl and another network')(
  'the agent of a process with a network of its own is not asked at its address here',
  async () => {
    const agent = new FakeControlPort();
    const { port } = await listenAsAgent(agent);
    const java = join(temporaryFolder(), 'java');
    copyFileSync(PERL, java);
    const option = `-agentpath:/opt/liblagent.so=host=127.0.0.1,port=${port}`;
    const started = async (...command: readonly string[]): Promise<string> => {
      const [program, ...args] = [...command, java, '-e$|=1; print 1; sleep 60', '--', option, 'Main'];
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill());
      await once(child.stdout, 'data');
      const { stdout, stderr } = await runCli(['agent', String(child.pid), 'start']);
      return `${stdout}${stderr}`;
    };
    expect(await started('unshare', '-n')).toMatch(
      /^JVM \d+ \(Main\): the control port of its agent is in the network of its container; give the HOST:PORT at which/,
    );
    expect(agent.commands).toEqual([]);
    expect(await started()).toBe('sampling into /tmp/app.hpl\n');
  },
);

const hasCompiler = spawnSync('cc', ['--version']).status === 0;

testUnless(NO_JVM ?? (hasCompiler ? undefined : 'there is no C compiler'))(
  'an agent in a JVM: listed with its log, and controlled by the name of the JVM',
  async () => {
    const agent = new FakeControlPort();
    const { port } = await listenAsAgent(agent);
    const cwd = temporaryFolder();
    const library = join(cwd, 'liblagent.so');
    const source = join(cwd, 'agent.c');
    writeFileSync(source, 'int Agent_OnLoad(void *vm, char *options, void *reserved) { return 0; }\n');
    expect(spawnSync('cc', ['-shared', '-fPIC', '-o', library, source]).status).toBe(0);
    const option = (options: string): string => `-agentpath:${library}=${options}`;
    const { pid } = await startJvm({
      cwd,
      jvm: [option(`interval=7,logPath=a.hpl,host=127.0.0.1,port=${port}`)],
    });
    const control = { host: '127.0.0.1', port };
    expect(listedJvm(pid).agent).toEqual({ library, log: join(cwd, 'a.hpl'), control });
    const { stdout } = await runCli(['agent', String(pid), 'start']);
    expect([stdout, agent.isSampling]).toEqual(['sampling into /tmp/app.hpl\n', true]);
    const deaf = await startJvm({ cwd, jvm: [option('interval=7')] });
    expect((await runCli(['agent', String(deaf.pid), 'start'])).stderr).toMatch(
      /its agent has no control port/,
    );
    const without = await startJvm({ cwd });
    expect((await runCli(['agent', String(without.pid), 'start'])).stderr).toMatch(
      /without Honest Profiler's agent\n$/,
    );
  },
);
