import { describe, expect, test } from 'bun:test';
import { sourceEvent } from './calendar-source.ts';
import { parseCalendarSources } from './sources-file.ts';

const read = (sources: readonly object[], rest: object = {}) =>
  parseCalendarSources(JSON.stringify({ sources, ...rest }), 'the file', '/etc/tickwire');
const url = 'https://office.example.org/calendar.ics';

describe('a file of calendar sources', () => {
  test('has sources by URL or file, with defaults', () => {
    const { intervalMs, sources } = read([
      { name: 'Office', url, country: 'us', timezone: 'US-Eastern', impacts: { high: ['Consumer Price Index'] } },
      { name: 'Own', file: 'own.csv', format: 'csv' },
    ]);
    expect(intervalMs).toBe(900_000);
    expect(sources).toMatchObject([
      { name: 'Office', url, file: null, country: 'US', timezone: 'America/New_York', impact: 'medium', match: 'id' },
      { name: 'Own', url: '', file: '/etc/tickwire/own.csv', country: null, mayBePrivate: true },
    ]);
    expect(sources[0]!.impacts.high).toEqual(['consumer price index']);
  });

  test.each([
    [[{ name: 'A', country: 'US' }], 'must have either url or file'],
    [[{ name: 'A', url, file: 'x', country: 'US' }], 'must have either url or file'],
    [[{ name: 'A', url }], 'must have a country'],
    [[{ name: 'A', url, country: 'XX' }], 'must have a currency'],
    [[{ name: 'A', url, country: 'US', timezone: 'Mars' }], 'time zone'],
    [[{ name: 'A', url: 'ftp://a', country: 'US' }], 'http or https'],
    [
      [
        { name: 'A', url, country: 'US' },
        { name: 'A', url, country: 'US' },
      ],
      'occurs twice',
    ],
    [[], 'the file: sources'],
  ])('is rejected if it is wrong: %j', (sources, message) => {
    expect(() => read(sources)).toThrow(message);
  });
});

describe('an event of a source', () => {
  const [source] = read([
    {
      name: 'Office',
      url,
      country: 'GB',
      impact: 'low',
      impacts: { high: ['inflation'], medium: ['inflation', 'trade'] },
      include: ['inflation', 'trade', 'other'],
    },
  ]).sources;
  const parsed = {
    uid: 'a',
    title: 'Inflation',
    country: null,
    currency: null,
    impact: null,
    time: 0,
    allDay: false,
    status: null,
  };

  test('has country, currency and impact of its source unless it states its own', () => {
    expect(sourceEvent(source!, parsed)).toMatchObject({ country: 'GB', currency: 'GBP', impact: 'high', uid: 'a' });
    expect(sourceEvent(source!, { ...parsed, title: 'UK trade' })).toMatchObject({ impact: 'medium' });
    expect(sourceEvent(source!, { ...parsed, title: 'Other' })).toMatchObject({ impact: 'low' });
    expect(sourceEvent(source!, { ...parsed, currency: 'EUR', impact: 'medium' })).toMatchObject({
      country: 'EU',
      currency: 'EUR',
      impact: 'medium',
    });
    expect(sourceEvent(source!, { ...parsed, country: 'JP' })).toMatchObject({ country: 'JP', currency: 'JPY' });
  });

  test('is left out if its title has none of the phrases', () => {
    expect(sourceEvent(source!, { ...parsed, title: 'Births and deaths' })).toBeNull();
    expect(sourceEvent(source!, { ...parsed, title: '<b></b>' })).toBeNull();
  });
});
