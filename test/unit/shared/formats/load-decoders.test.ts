import { expect, test, vi } from 'vitest';

// Other test files in this worker may have loaded decoders: these modules are loaded again, so that none are.
vi.resetModules();
const { ProfileAggregator } = await import('../../../../shared/aggregate/profile-aggregator.ts');
const { FORMATS } = await import('../../../../shared/formats/formats.ts');
const { loadDecoders } = await import('../../../../shared/formats/load-decoders.ts');
const { ProfileReader } = await import('../../../../shared/formats/profile-reader.ts');

const STACKS = Buffer.from('main;Shop.sell 3\nmain;Shop.pay 1\n');
const loaded = (): string[] => FORMATS.filter(({ code }) => code.isLoaded).map(({ id }) => id);

/** In this order: what is loaded stays. */
test('the decoder that the first bytes ask for is loaded, and no other; all when they do not tell', async () => {
  expect(loaded()).toEqual([]);
  expect(loadDecoders(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')), 'of no format').toBeUndefined();
  expect(() => new ProfileReader(new ProfileAggregator(), {}).append(STACKS)).toThrow('is loaded before');

  await loadDecoders(STACKS);
  expect(loaded()).toEqual(['collapsed']);
  expect(loadDecoders(STACKS), 'it is there').toBeUndefined();
  const reader = new ProfileReader(new ProfileAggregator(), {});
  reader.append(STACKS);
  reader.settle(true);
  expect(reader.aggregator.sampleCount).toBe(4);

  await loadDecoders(Buffer.from('J'));
  expect(loaded()).toEqual(FORMATS.map(({ id }) => id));
  expect(loadDecoders(undefined), 'of a packed input').toBeUndefined();
});
