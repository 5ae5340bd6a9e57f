import { expect, test } from 'vitest';
import { NO_PROJECT } from '../../../shared/findings/finding.ts';
import { readProjectFile } from '../../../shared/findings/project-file.ts';

test('a project file names own code and silenced findings', () => {
  const text =
    '{"own": ["com.acme."], "sources": ["src"], "suppress": [{"id": "F15", "key": "a.B.c", "why": "audit"}]}';
  expect(readProjectFile(text, ['F15'])).toEqual({
    own: ['com.acme.'],
    sources: ['src'],
    thresholds: {},
    suppress: [{ id: 'F15', key: 'a.B.c', why: 'audit' }],
  });
  expect(readProjectFile('{}', [])).toEqual(NO_PROJECT);
  const thresholds = '{"thresholds": {"F15": {"info": 20, "warn": 50}, "F1": {"warn": 0}}}';
  expect(readProjectFile(thresholds, ['F1', 'F15']).thresholds).toEqual({
    F15: { info: 0.2, warn: 0.5 },
    F1: { warn: 0 },
  });
});

test.each([
  ['{"own": [\n"a" "b"]}', 'line 2, column 5: found no valid JSON, expected an object in JSON'],
  ['[]', 'line 1: the whole file: found [], expected an object'],
  ['{"own": "com."}', 'line 1: own: found "com.", expected a list'],
  ['{"own": [\n"a",\n3]}', 'line 3: own[1]: found 3, expected a text that is not empty'],
  ['{"owns": []}', 'line 1: owns: found [], expected only own, sources, suppress, thresholds'],
  [
    '{\n"own": [{"id": 1}, "}"],\n"suppress": [\n{"id": "F15", "why": "}"},\n{"why": "x",\n"id": "F99"}]}',
    'line 2: own[0]: found {"id":1}, expected a text',
  ],
  [
    '{\n"own": ["\\"}"],\n"suppress": [\n{"id": "F15", "why": "}"},\n{"why": "x",\n"id": "F99"}]}',
    'line 6: suppress[1].id: found "F99", expected one of F1, F15',
  ],
  ['{"thresholds":\n{"F2": {}}}', 'line 2: thresholds.F2: found {}, expected only F1, F15'],
  [
    '{"thresholds": {"F1": {"info": 1,\n"warn": 300}}}',
    'line 2: thresholds.F1.warn: found 300, expected a number of per cent, 0 to 100',
  ],
  [
    '{"suppress": [{"id": "F99", "why": "x"}]}',
    'line 1: suppress[0].id: found "F99", expected one of F1, F15',
  ],
  ['{"suppress": [\n{"id": "F15"}]}', 'line 2: suppress[0].why: found nothing, expected a reason, as text'],
  [
    '{"suppress": [{"id": "F15", "why": "x", "key": 1}]}',
    'line 1: suppress[0].key: found 1, expected a class and method, as text',
  ],
])('refuses %s with place, found and expected', (text, message) => {
  expect(() => readProjectFile(text, ['F1', 'F15'])).toThrow(message);
});
