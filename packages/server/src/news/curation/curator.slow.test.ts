import { expect, test } from 'bun:test';
import { asEpochMs, CATALOGUE, SECOND_MS } from '@tickwire/engine';
import type { RawItem } from '../news-source.ts';
import { Curator } from './curator.ts';

const START = Date.parse('2026-05-06T12:00:00Z');
/** An item every three seconds. */
const raw = (n: number, texts: Pick<RawItem, 'title' | 'summary'>): RawItem => {
  const seenAt = asEpochMs(START + n * 3 * SECOND_MS);
  return {
    source: `Wire ${n % 20}`,
    account: null,
    category: null,
    weight: 1,
    guid: `guid-${n}`,
    url: `https://example.com/${n}`,
    publishedAt: seenAt,
    seenAt,
    ...texts,
  };
};

test('processes ten thousand items a second in bounded memory', () => {
  const of = new Curator({ instruments: CATALOGUE, maxItems: 2_000 });
  const words =
    `euro yen gold bitcoin rates inflation growth outlook traders bond supply demand budget tariff talks exports
    central bank policy weak strong record week month shares oil output data survey report minister governor warns expects
    signals holds cuts raises falls climbs steady ahead meeting decision pressure liquidity deficit spending housing wages
    manufacturing services orders stimulus reserve treasury yields auction dollar sterling franc silver ether token exchange`.split(
      /\s+/,
    );
  let seed = 1;
  const word = (): string => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return words[(seed >>> 8) % words.length]! + ((seed >>> 20) % 40 === 0 ? 's' : '');
  };
  const items = Array.from({ length: 40_000 }, (_, n) =>
    raw(n, {
      title: `${word()} ${word()} ${word()} ${word()} &amp; ${word()} ${word()} ${word()} ${n % 100}%`,
      summary: `<p>${word()} ${word()} ${word()}</p>`,
    }),
  );
  // The best of forty parts, in time of the processor if that is less: the machine may be busy.
  let rate = 0;
  for (let part = 0; part < 40; part++) {
    const [began, used] = [performance.now(), process.cpuUsage()];
    for (const item of items.slice(part * 1_000, (part + 1) * 1_000)) of.take(item);
    const { user, system } = process.cpuUsage(used);
    rate = Math.max(rate, 1_000 / Math.min((performance.now() - began) / 1e3, (user + system) / 1e6));
  }
  console.log(`curation: ${Math.round(rate).toLocaleString('en-US')} items/s, holding`, of.sizes);
  expect(rate).toBeGreaterThan(10_000);
  expect(of.sizes.items).toBeLessThanOrEqual(2_000);
  expect(of.sizes.postings).toBeLessThan(2_000 * 60);
  expect(of.sizes.keys).toBeLessThanOrEqual(4 * 50_000);
});
