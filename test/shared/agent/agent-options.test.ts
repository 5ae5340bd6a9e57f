import { expect, test } from 'vitest';
import {
  AGENT_OPTIONS,
  agentLine,
  type AgentSettings,
  parseAgentOptions,
} from '../../../shared/agent/agent-options.ts';
import { testSeed } from '../../support/test-seed.ts';

const LIBRARY = '/opt/liblagent.so';
const { seed, randomFor } = testSeed('agent options');

const line = (settings: AgentSettings, library = LIBRARY): string => agentLine(library, settings).line;
const problems = (settings: AgentSettings, library = LIBRARY): string =>
  agentLine(library, settings)
    .problems.map(({ key, text }) => `${key}: ${text}`)
    .join('\n');

test('the option line, without what the agent does anyway', () => {
  expect(line({})).toBe('-agentpath:/opt/liblagent.so');
  expect(line({ interval: '1', maxFrames: '128', start: '1', logPath: ' ' })).toBe(
    '-agentpath:/opt/liblagent.so',
  );
  expect(line({ maxFrames: '512', interval: '7', logPath: '/tmp/app.hpl' })).toBe(
    '-agentpath:/opt/liblagent.so=interval=7,logPath=/tmp/app.hpl,maxFrames=512',
  );
  expect(line({ logPath: "it's" })).toBe(String.raw`'-agentpath:/opt/liblagent.so=logPath=it'\''s'`);
  expect(line({ host: '127.0.0.1', port: '4242', start: '0' })).toContain(
    '=start=0,host=127.0.0.1,port=4242',
  );
  expect(problems({ host: '127.0.0.1', port: '4242', start: '0' })).toBe('');
});

test('what the agent would not do as it is said', () => {
  expect(problems({}, ' ')).toBe('library: The path of liblagent.so is missing.');
  expect(problems({}, '/a=b/liblagent.so')).toMatch(/^library: /);
  expect(problems({ interval: '0' })).toBe('interval: Interval is a whole number from 1 to 2000000.');
  expect(problems({ interval: '1.5' })).toMatch(/^interval: /);
  expect(problems({ interval: '5', intervalMax: '7' })).toMatch(/^interval: Give either/);
  expect(problems({ intervalMin: '5' })).toMatch(/^intervalMax: The longest/);
  expect(problems({ intervalMin: '5', intervalMax: '7' })).toBe('');
  expect(problems({ maxFrames: '2048' })).toMatch(/^maxFrames: /);
  expect(problems({ start: 'no' })).toMatch(/start: Start at once is 0 or 1/);
  expect(problems({ start: '0' })).toMatch(/^start: Without a control port/);
  expect(problems({ logPath: 'a,b' })).toMatch(/^logPath: /);
  expect(problems({ logPath: 'a\nb' })).toMatch(/^logPath: /);
  expect(problems({ host: 'localhost' })).toMatch(/^port: /);
  expect(problems({ port: '80' })).toMatch(/^host: /);
  expect(problems({ host: 'h', port: '65536' })).toMatch(/^port: /);
});

test('the agent reads what is written', () => {
  const value = (key: string, below: (most: number) => number): string => {
    const option = AGENT_OPTIONS.find((each) => each.key === key);
    if (key === 'start') return '1';
    if (option?.kind === 'number')
      return String((option.least ?? 1) + below((option.most ?? 1) - (option.least ?? 1) + 1));
    return ['/tmp/a.hpl', 'a=b', 'start=1', 'x y', '\u00e9'][below(5)];
  };
  for (let scenario = 0; scenario < 500; scenario++) {
    const random = randomFor(scenario);
    const settings = Object.fromEntries(
      AGENT_OPTIONS.filter(() => random.below(2) === 0).map(({ key }) => [
        key,
        value(key, (most) => random.below(most)),
      ]),
    ) as AgentSettings;
    const { problems: found, line: written } = agentLine(LIBRARY, settings);
    if (found.length > 0) continue;
    const options = written.replace(/^'?-agentpath:[^=]*=?/, '').replace(/'$/, '');
    const { interval = '1', intervalMin = interval, intervalMax = interval } = settings;
    expect(parseAgentOptions(options), `SEED=${seed} ${scenario} ${options}`).toEqual({
      intervalMin: Number(intervalMin),
      intervalMax: Number(intervalMax),
      logPath: settings.logPath,
      start: true,
      host: settings.host,
      port: settings.port,
      maxFrames: Number(settings.maxFrames ?? 128),
    });
  }
});

test('lines as the agent reads them, whatever they say', () => {
  const read = (text: string): string => {
    const { intervalMin, intervalMax, logPath, start, host, port, maxFrames } = parseAgentOptions(text);
    return [intervalMin, intervalMax, logPath ?? '-', start, host ?? '-', port ?? '-', maxFrames].join(' ');
  };
  expect(read('')).toBe('1 1 - true - - 128');
  expect(read('interval=7,logPath=a.hpl,startle=0')).toBe('7 7 a.hpl false - - 128');
  expect(read('intervalMin=9,intervalMax=3')).toBe('3 9 - true - - 128');
  expect(read('interval=-5,maxFrames=3000')).toBe('1 1 - true - - 128');
  expect(read('interval=x,maxFrames=12abc')).toBe('1 1 - true - - 12');
  expect(read('unknown=3,host=h,port=p')).toBe('1 1 - true h p 128');
  // The value is behind the next comma.
  expect(read('start,interval=0')).toBe('1 1 - false - - 128');
  expect(read('logPath=a=b,start=0')).toBe('1 1 a=b false - - 128');
  expect(read(',,=,')).toBe('1 1 - true - - 128');
});
