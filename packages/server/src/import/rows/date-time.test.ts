import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { DateTimeReader, parseUnixTime } from './date-time.ts';

const encoder = new TextEncoder();
const reader = new DateTimeReader();
const read = (text: string): number => {
  const bytes = encoder.encode(`9${text}9`);
  return reader.read(bytes, 1, bytes.length - 1);
};
const unix = (text: string): number => parseUnixTime(encoder.encode(text), 0, text.length);
const TIME = Date.UTC(2019, 1, 4, 5, 6, 7, 994);

describe('DateTimeReader', () => {
  test.each([
    '2019-02-04T05:06:07.994Z',
    '2019-02-04 05:06:07.994',
    '2019.02.04 05:06:07.9949',
    '2019/02/04 05:06:07.994999999',
    '04.02.2019 05:06:07.994',
    '4.2.2019 05:06:07.994 GMT+0100',
    '20190204 050607994',
    '20190204050607994',
    '2019-2-4 5:06:07.994+02:00',
  ])('reads %s', (text) => expect(read(text)).toBe(TIME));

  test.each([
    ['2019-02-04T00:00:00Z', 0],
    ['2019-02-04 00:00:00 UTC', 0],
    ['2019-02-04 00:00:00+02:00', 7_200_000],
    ['04.02.2019 00:00:00.000 GMT-0530', -19_800_000],
    ['2019-02-04 00:00+03', 10_800_000],
  ])('reads the zone of %s', (text, offset) => {
    expect(read(text)).toBe(Date.UTC(2019, 1, 4));
    expect(reader.offset).toBe(offset);
  });

  test('reads shorter forms as midnight or a full minute', () => {
    expect(read('20190204')).toBe(Date.UTC(2019, 1, 4));
    expect(read('2019.02.04 05:06')).toBe(Date.UTC(2019, 1, 4, 5, 6));
    expect(reader.offset).toBeNull();
  });

  test.each([
    '02/04/2019',
    '04-02-2019',
    '2019-13-01',
    '2019-02-29',
    '2019-02-04 24:00:00',
    '2019-02-04 00:60',
    '2019-02-04 00:00:61',
    '2019-02-04x',
    '2019-02-04 00:00 EST',
    '2019-02-04 00:00+99',
    '1969-12-31',
    '2019-02',
    '',
    'yesterday',
    '201902',
  ])('rejects %p', (text) => expect(read(text)).toBeNaN());

  test('reads every time from its ISO text', () => {
    const date = fc.date({ min: new Date(0), max: new Date('2199-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (value) => read(value.toISOString()) === value.getTime()),
      { numRuns: 5_000 },
    );
    expect(read('2000-03-01') - read('2000-02-28')).toBe(2 * 86_400_000);
  });

  test('reads each time as if it were the only one, whatever came before it', () => {
    const day = fc.constantFrom('2019-02-04 05:', '04.02.2019 05:', '02/04/2019 05:', '2019-02-04T05:', '4.2.2019 5:');
    const minute = fc.constantFrom('06:', '07:', '6:', '');
    const end = fc.constantFrom('07', '59.5', '60', '7', '07Z', '07 PM', '07.994+02:00', '07.994x', '07.', '');
    const text = fc.tuple(day, minute, end).map((parts) => parts.join(''));
    const order = fc.constantFrom('mdy' as const, 'dmy' as const);
    const result = (to: DateTimeReader, bytes: Uint8Array) => [to.read(bytes, 0, bytes.length), to.offset];
    fc.assert(
      fc.property(order, fc.array(text, { minLength: 2, maxLength: 6 }), (known, texts) => {
        const used = new DateTimeReader(known);
        for (const bytes of texts.map((each) => encoder.encode(each)))
          expect(result(used, bytes)).toEqual(result(new DateTimeReader(known), bytes));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('Unix time', () => {
  test('is truncated to milliseconds, in any unit', () => {
    expect(unix('1549238400')).toBe(1_549_238_400_000);
    expect(unix('1549238400.9949')).toBe(1_549_238_400_994);
    expect(unix('1549238400994')).toBe(1_549_238_400_994);
    expect(unix('1549238400994.9')).toBe(1_549_238_400_994);
    expect(unix('1735689600123999')).toBe(1_735_689_600_123);
    expect(unix('1723161253937985768')).toBe(1_723_161_253_937);
  });

  test.each(['', '-1549238400', '20190204', '20190204050607', '15492384e2', '1549238400x', '1.5e9'])(
    'rejects %p',
    (text) => expect(unix(text)).toBeNaN(),
  );
});
