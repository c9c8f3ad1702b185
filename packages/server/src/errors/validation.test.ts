import { describe, expect, test } from 'bun:test';
import { AlertRequest, ClientMessage, NewsLine, SubscriptionRequest } from '@tickwire/contract';
import { z } from 'zod';
import { fieldFaults, firstFault } from './validation.ts';

type Code = z.core.$ZodIssue['code'];

/** For each kind of issue: schemas of `x`, invalid values and the text that describes them. */
const KINDS: Readonly<Record<Code, readonly (readonly [schema: z.ZodType, value: unknown, text: string])[]>> = {
  invalid_type: [
    [z.string(), 5, 'x must be a text'],
    [z.string(), undefined, 'x must be a text'],
    [z.number(), Number.NaN, 'x must be a number'],
    [z.int(), 1.5, 'x must be an integer'],
    [z.boolean(), 'yes', 'x must be true or false'],
    [z.array(z.string()), {}, 'x must be a list'],
    [z.array(z.string()), ['a', 5], 'x.1 must be a text'],
    [z.object({}), [], 'x must be an object'],
    [z.record(z.string(), z.int()), null, 'x must be an object'],
    [z.date(), 'today', 'x must be of the documented type'],
  ],
  too_big: [
    [z.number().max(500), 501, 'x must be at most 500'],
    [z.number().lt(1), 1, 'x must be below 1'],
    [z.string().max(3), 'long', 'x must be a text of up to 3 characters'],
    [z.array(z.int()).max(1), [1, 2], 'x must be a list of up to 1 item'],
  ],
  too_small: [
    [z.int().min(1), 0, 'x must be at least 1'],
    [z.number().positive(), 0, 'x must be above 0'],
    [z.string().min(1), '', 'x must be a text of at least 1 character'],
    [z.array(z.int()).min(2), [], 'x must be a list of at least 2 items'],
  ],
  invalid_format: [
    [
      z.iso.datetime({ offset: true }),
      'now',
      'x must be an ISO 8601 time with its offset, such as 2026-03-06T21:00:00Z',
    ],
    [z.iso.date(), 'now', 'x must be an ISO 8601 date, such as 2026-03-06'],
    [z.url(), '//', 'x must be an http or https address'],
    [z.string().regex(/^a$/), 'b', 'x must be in the documented format'],
    [z.string().regex(/^a$/, 'must be the letter a'), 'b', 'x must be the letter a'],
  ],
  not_multiple_of: [[z.number().multipleOf(5), 7, 'x must be a multiple of 5']],
  unrecognized_keys: [
    [z.strictObject({}), { a: 1 }, 'x must be an object without the unknown field a'],
    [z.strictObject({}), { a: 1, b: 2 }, 'x must be an object without the unknown fields a, b'],
  ],
  invalid_union: [
    [z.union([z.string(), z.number()]), null, 'x must be a text or a number'],
    [z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]), {}, 'x must be one of the documented forms'],
    [z.discriminatedUnion('a', [z.object({ a: z.literal('p') }), z.object({ a: z.literal('q') })]), {}, 'x.a must be'],
  ],
  invalid_value: [
    [z.enum(['a', 'b']), 'c', 'x must be one of a, b'],
    [z.literal(true), false, 'x must be true'],
  ],
  invalid_key: [[z.map(z.string().min(2), z.int()), new Map([['a', 1]]), 'x']],
  invalid_element: [[z.set(z.int()), new Set(['a']), 'x']],
  custom: [
    [z.string().refine(() => false), 'a', 'x must be valid'],
    [z.string().refine(() => false, 'must not be a'), 'a', 'x must not be a'],
  ],
};

/** How messages of the library begin. */
const RAW = /invalid|expected|too big|too small|unrecognized|received/i;

function faultOf(schema: z.ZodType, value: unknown, whole = 'the value'): string {
  const { error } = schema.safeParse(value);
  return error ? firstFault(error, schema, value, whole) : '';
}

describe('the text of an invalid value', () => {
  for (const [code, cases] of Object.entries(KINDS)) {
    test.each(cases)(`${code} %#: is in our own words`, (schema, value, expected) => {
      const text = faultOf(z.object({ x: schema }), { x: value });
      expect(text).toStartWith(expected);
      expect(text).toMatch(/^x(\.\w+)* must /);
      expect(text).not.toMatch(RAW);
    });
  }

  test('names the whole value if no field is at fault', () => {
    expect(faultOf(z.object({}), [], 'the file')).toBe('the file must be an object');
    expect(faultOf(z.strictObject({}), { a: 1 }, 'the file')).toBe(
      'the file must be an object without the unknown field a',
    );
  });

  test('uses the text of the field, also of an optional one and of nested paths', () => {
    const field = z.array(z.string()).meta({ allowed: 'a list of names' });
    for (const each of [field, field.optional(), field.nullable().default(null)])
      expect(faultOf(z.object({ names: each }), { names: [5] })).toBe('names must be a list of names');
  });

  test('of several issues of one field appears once', () => {
    const schema = z.object({ a: z.array(z.int()).meta({ allowed: 'a list of integers' }), b: z.int() });
    const value = { a: ['x', 'y'], b: '1' };
    expect(fieldFaults(schema.safeParse(value).error!, schema, value)).toEqual([
      { field: 'a', rule: 'must be a list of integers', allowed: 'a list of integers' },
      { field: 'b', rule: 'must be a number', allowed: 'a number' },
    ]);
  });

  test.each([
    [null, 'the message must be an object'],
    [{}, 'action must be one of subscribe, unsubscribe, list, ping'],
    [{ action: 'subscribe', symbols: 'EURUSD' }, 'symbols must be a list of 1 to 1000 instrument codes'],
    [{ action: 'subscribe', symbols: ['EURUSD', 5] }, 'symbols must be a list of 1 to 1000 instrument codes'],
    [{ action: 'subscribe', max_rate: 0 }, 'max_rate must be a number between 0.1 and 1000'],
    [{ action: 'ping', id: {} }, 'id must be a text of up to 128 characters, or a number'],
  ])('of the message %j is complete', (message, expected) => {
    expect(faultOf(ClientMessage, message, 'the message')).toBe(expected);
  });

  test('of a pushed news item is complete', () => {
    expect(faultOf(NewsLine, { title: '' })).toBe('title must be a text of 1 to 1000 characters that is not blank');
    expect(faultOf(NewsLine, { title: 'x', url: 'ftp://x' })).toBe(
      'url must be an http or https address of up to 2048 characters',
    );
  });
});

describe('a field with several forms', () => {
  const price = { type: 'price', cross: 'above', level: 1 };
  const faultOf = (request: object): string => {
    const result = AlertRequest.safeParse(request);
    return result.success ? '' : firstFault(result.error, AlertRequest, request, 'the alert');
  };

  test.each<[request: object, fault: string]>([
    [{ condition: { ...price, level: -1 } }, 'condition.level must be a number above 0'],
    [{ condition: { ...price, cross: 'up' } }, 'condition.cross must be one of above, below, either'],
    [{ condition: { type: 'price', level: 1 } }, 'condition must be an object with exactly one of cross, touch and is'],
    [{ condition: { ...price, height: 1 } }, 'condition must be an object without the unknown field height'],
    [{ condition: { type: 'all', of: [price, { type: 'spread' }] } }, 'condition.of.1.above must be a number above 0'],
    [
      { condition: price, deliver: [{ channel: 'email', address: 'anna' }] },
      'deliver.0.address must be an e-mail address without a display name',
    ],
  ])('is described by the form that was meant: %j', (request, fault) => {
    expect(faultOf(request)).toBe(fault);
  });

  test('lists the forms if none was meant', () => {
    expect(faultOf({ condition: { type: 'prize' } })).toStartWith(
      'condition must be an object with the type of a condition: price, move, ',
    );
    expect(faultOf({ condition: price, deliver: [{ channel: 'fax' }] })).toStartWith(
      'deliver must be up to 5 destinations',
    );
  });

  test('says that a subscription needs a destination', () => {
    for (const request of [{ symbol: 'EURUSD' }, { symbol: 'EURUSD', deliver: [] }]) {
      const { error } = SubscriptionRequest.safeParse(request);
      expect(firstFault(error!, SubscriptionRequest, request, 'the subscription')).toStartWith(
        'deliver must be 1 to 5 destinations, each with',
      );
    }
  });
});
