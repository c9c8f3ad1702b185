import { describe, expect, test } from 'bun:test';
import { asEpochMs, CATALOGUE, MINUTE_MS } from '@tickwire/engine';
import type { RawItem } from '../news-source.ts';
import { type CuratedItem, Curator, compareIntakeOrder } from './curator.ts';

const START = Date.parse('2026-05-06T12:00:00Z');
const HOUR = 60 * MINUTE_MS;
let names = 0;
const raw = (title: string, more: Partial<RawItem> & { minute?: number } = {}): RawItem => {
  const { minute = 0, ...rest } = more;
  const seenAt = asEpochMs(START + minute * MINUTE_MS);
  return {
    source: 'Wire A',
    account: null,
    category: null,
    weight: 1,
    guid: `guid-${names++}`,
    url: null,
    title,
    summary: null,
    publishedAt: seenAt,
    seenAt,
    ...rest,
  };
};
const curator = (): Curator => new Curator({ instruments: CATALOGUE });
const GOLD = 'Gold slips as dollar firms ahead of Fed minutes';
const taken = (of: Curator, item: RawItem): CuratedItem => {
  const curated = of.take(item);
  if (curated.kind !== 'new' && curated.kind !== 'revised')
    throw new Error(`${item.title}: ${JSON.stringify(curated)}`);
  return curated.item;
};

describe('a new item', () => {
  test('has plain text, category, instruments, URL and times', () => {
    const item = taken(
      curator(),
      raw('<b>Gold</b> slips &amp; dollar firms', { url: 'https://example.com/a?x=1', guid: 'g1', source: 'Wire' }),
    );
    expect(item).toEqual({
      id: item.id,
      title: 'Gold slips & dollar firms',
      category: 'gold',
      symbols: ['XAUUSD'],
      url: 'https://example.com/a?x=1',
      source: 'Wire',
      account: null,
      guid: 'g1',
      publishedAt: asEpochMs(START),
      isTimeStated: true,
      seenAt: asEpochMs(START),
      cluster: 1,
      revision: 0,
    });
    expect(item.id).toMatch(/^[0-9a-f]{32}$/);
  });

  test('has a stable id from its guid, else its URL, else its title and day', () => {
    const id = (more: Partial<RawItem>): string => taken(curator(), raw(GOLD, { guid: null, ...more })).id;
    expect(id({ guid: 'x' })).toBe(id({ guid: 'x', url: 'https://example.com/a' }));
    expect(id({ guid: 'x' })).not.toBe(id({ guid: 'x', source: 'Wire B' }));
    expect(id({ url: 'https://example.com/a?utm_source=rss' })).toBe(id({ url: 'https://www.example.com/a/' }));
    expect(id({})).toBe(id({ publishedAt: asEpochMs(START - HOUR) }));
    expect(id({})).not.toBe(id({ publishedAt: asEpochMs(START - 24 * HOUR) }));
  });

  test('does not pass off the time it was seen as the time its source states', () => {
    const isStated = (publishedAt: number | null): boolean =>
      taken(curator(), raw(GOLD, { publishedAt: publishedAt as never })).isTimeStated;
    expect([START, START - HOUR, START + MINUTE_MS].map(isStated)).toEqual([true, true, true]);
    expect([null, Number.NaN, 0, START + HOUR, Number.POSITIVE_INFINITY].map(isStated)).toEqual(Array(5).fill(false));
    const of = curator();
    taken(of, raw(GOLD, { guid: 'a', publishedAt: null }));
    expect(taken(of, raw(`${GOLD} on Tuesday`, { guid: 'a', minute: 5 }))).toMatchObject({
      publishedAt: START,
      isTimeStated: false,
      revision: 1,
    });
  });

  test('counts as published when seen if its date is missing or in the future', () => {
    expect(taken(curator(), raw(GOLD, { publishedAt: asEpochMs(START + HOUR) })).publishedAt).toBe(asEpochMs(START));
    expect(taken(curator(), raw(GOLD, { publishedAt: null })).publishedAt).toBe(asEpochMs(START));
    expect(taken(curator(), raw(GOLD, { publishedAt: Number.NaN as never })).publishedAt).toBe(asEpochMs(START));
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com/a',
    'https://user:secret@example.com/a',
    `https://example.com/${'a'.repeat(2_000)}`,
    'not a URL',
    '//example.com/a',
  ])('is kept without a URL such as %p', (url) => {
    expect(taken(curator(), raw(GOLD, { url })).url).toBeNull();
  });

  test('is left out and counted if it is empty, off topic, too old or known', () => {
    const of = curator();
    of.take(raw(GOLD, { guid: 'a' }));
    expect(of.take(raw('<img src=x onerror=alert(1)>'))).toEqual({ kind: 'left_out', reason: 'empty' });
    expect(of.take(raw('Local team wins'))).toEqual({ kind: 'left_out', reason: 'off_topic' });
    expect(of.take(raw(GOLD, { publishedAt: asEpochMs(START - 49 * HOUR) }))).toEqual({
      kind: 'left_out',
      reason: 'too_old',
    });
    expect(of.take(raw(GOLD, { guid: 'a', minute: 90 }))).toEqual({ kind: 'left_out', reason: 'duplicate' });
    expect(of.leftOut).toEqual({ empty: 1, off_topic: 1, too_old: 1, duplicate: 1, revised_too_often: 0 });
  });
});

describe('the same news from several sources', () => {
  test('joins the cluster of the first item, and each source counts once', () => {
    const of = curator();
    const { id } = taken(of, raw(GOLD));
    const again = (source: string, title = GOLD, minute = 5) => of.take(raw(title, { source, minute }));
    expect(again('Wire B', `UPDATE 1-${GOLD} - Reuters`)).toEqual({ kind: 'clustered', id, cluster: 2 });
    expect(again('Wire C', 'Ahead of Fed minutes, gold dips as dollar firms')).toEqual({
      kind: 'clustered',
      id,
      cluster: 3,
    });
    expect(again('Wire B')).toEqual({ kind: 'left_out', reason: 'duplicate' });
    expect(again('Wire A')).toEqual({ kind: 'left_out', reason: 'duplicate' });
    expect(again('Wire D', GOLD, 13 * 60).kind).toBe('new');
  });

  test('other figures, the opposite direction or another instrument make another item', () => {
    const of = curator();
    of.take(raw('Gold slips 0.5% as dollar firms ahead of Fed minutes'));
    for (const title of [
      'Gold slips 0.7% as dollar firms ahead of Fed minutes',
      'Gold gains 0.5% as dollar firms ahead of Fed minutes',
      'Silver slips 0.5% as dollar firms ahead of Fed minutes',
    ])
      expect(of.take(raw(title, { source: 'Wire B' })).kind).toBe('new');
  });

  test('a batch is sorted by time, then by weight', () => {
    const late = raw('late', { minute: 2 });
    const light = raw('light', { weight: 1 });
    const heavy = raw('heavy', { weight: 5 });
    expect([late, light, heavy].sort(compareIntakeOrder).map(({ title }) => title)).toEqual(['heavy', 'light', 'late']);
  });
});

describe('an updated headline', () => {
  test('is a revision if guid, page or wording match; its times stay', () => {
    const of = curator();
    const url = 'https://example.com/gold';
    const first = taken(of, raw('Gold slips 0.5% as dollar firms ahead of Fed minutes', { guid: 'a', url }));
    const titles = [
      'Gold falls 1.5% in volatile session',
      'Gold falls 1.7% in volatile session after sales',
      'Gold falls 1.9% in volatile session after sales',
    ];
    const [byGuid, byPage, byWording] = [{ guid: 'a' }, { guid: 'b', url: `${url}?utm_medium=x` }, { guid: 'c' }];
    for (const [at, more] of [byGuid, byPage, byWording].entries()) {
      const curated = of.take(raw(titles[at]!, { ...more, minute: 10 * (at + 1) }));
      const { id, publishedAt, seenAt } = first;
      expect(curated).toMatchObject({
        kind: 'revised',
        item: { id, publishedAt, seenAt, title: titles[at]!, revision: at + 1 },
      });
    }
    // The source keeps listing all of them: nothing changes back.
    for (const [at, guid] of ['a', 'b', 'c'].entries())
      expect(of.take(raw(titles[at]!, { guid, minute: 60 })).kind).toBe('left_out');
  });

  test('of another account is no revision, even with the same source name, guid and page', () => {
    const of = curator();
    const known = { guid: 'a', url: 'https://example.com/gold' };
    const [ada, bob] = ['Ada', 'Bob'].map((name) => ({ id: `pub_${name}`, name }));
    const title = 'Gold slips 0.5% as dollar firms ahead of Fed minutes';
    const polled = taken(of, raw(title, known));
    const changed = 'Gold soars 9.5% as dollar firms ahead of Fed minutes';
    expect(of.take(raw(changed, { ...known, account: ada!, minute: 1 }))).toEqual({
      kind: 'clustered',
      id: polled.id,
      cluster: 2,
    });
    const own = taken(of, raw('Silver slips 1%', { guid: 's', account: ada!, minute: 2 }));
    expect(own.account).toEqual(ada!);
    const others = taken(of, raw('Silver slips 2%', { guid: 's', account: bob!, minute: 3 }));
    expect(others).toMatchObject({ account: bob!, revision: 0 });
    expect(others.id).not.toBe(own.id);
    expect(taken(of, raw('Silver slips 3%', { guid: 's', account: ada!, minute: 4 }))).toMatchObject({
      id: own.id,
      revision: 1,
    });
  });

  test('that an account pushed for a page does not hide the item of a source or of another account', () => {
    const url = 'https://example.com/fed';
    for (const account of [null, { id: 'pub_0002', name: 'bob' }]) {
      const of = curator();
      const fake = taken(of, raw('Fed cuts rates by 3 points', { url, account: { id: 'pub_0001', name: 'ada' } }));
      const genuine = of.take(raw('Fed leaves rates unchanged as expected', { url, account, minute: 1 }));
      expect(genuine).toMatchObject({
        kind: 'new',
        item: { title: 'Fed leaves rates unchanged as expected', cluster: 1 },
      });
      expect(fake.cluster).toBe(1);
    }
  });

  test('an item of the same page with no words in common is another item', () => {
    const of = curator();
    const url = 'https://example.com/releases';
    of.take(raw('Consumer price inflation slows to 2.1%', { url }));
    expect(of.take(raw('Retail sales volume beats estimates in May', { url })).kind).toBe('new');
  });

  test('similar wording is no revision after six hours, and further revisions are left out after 20', () => {
    const of = curator();
    of.take(raw('Oil settles up 1.2% after storage data'));
    expect(of.take(raw('Oil settles up 1.4% after storage data', { minute: 361 })).kind).toBe('new');
    const kinds = Array.from(
      { length: 30 },
      (_, n) => of.take(raw(`Oil tops ${n} in thin holiday trading`, { guid: 'live' })).kind,
    );
    expect(kinds.filter((kind) => kind === 'revised')).toHaveLength(20);
    expect(of.leftOut.revised_too_often).toBe(9);
  });
});

describe('the curator', () => {
  test('knows the items of the previous run after a restart', () => {
    const before = curator();
    const gold = taken(before, raw(GOLD, { guid: 'a', url: 'https://example.com/gold' }));
    const after = curator();
    after.restore([gold]);
    expect(after.take(raw(GOLD, { guid: 'a' })).kind).toBe('left_out');
    expect(after.take(raw(GOLD, { source: 'Wire B' }))).toEqual({ kind: 'clustered', id: gold.id, cluster: 2 });
    const retitled = after.take(raw(`${GOLD}, traders wait`, { guid: 'a' }));
    expect(retitled).toMatchObject({ kind: 'revised', item: { id: gold.id, revision: 1 } });
  });

  test('returns the same feed for the same items', () => {
    const feed = Array.from({ length: 400 }, (_, n) =>
      raw(`Gold ${n % 7} and dollar ${n % 5} move on data ${n % 11}`, { minute: n }),
    );
    const [one, other] = [curator(), curator()];
    expect(feed.map((item) => one.take(item))).toEqual(feed.map((item) => other.take(item)));
  });
});
