import { expect, test } from 'bun:test';
import { instantSleep } from '../../../../testing/instant-sleep.fixture.ts';
import type { VenueConnection } from '../connector.ts';
import { GrowingConnection } from './growing-connection.ts';

interface Opened extends VenueConnection {
  readonly venueSymbols: readonly string[];
  end(reason: string): void;
}

function opened(venueSymbols: readonly string[]): Opened {
  const { promise: closed, resolve: end } = Promise.withResolvers<string>();
  return { venueSymbols, closed, end, close: () => end('closed by us') };
}

/** A connection with BTC, whose later attempts succeed unless they are told to fail. */
function grown(failures = 0) {
  const first = opened(['BTC']);
  const venueSymbols = ['BTC'];
  const later: Opened[] = [];
  const subscribed: (readonly string[])[] = [];
  const failed: string[] = [];
  let left = failures;
  const connection = new GrowingConnection({
    first,
    count: 1,
    venueSymbols,
    open: async (names) => {
      if (left-- > 0) throw new Error('refused');
      later.push(opened(names));
      return later.at(-1)!;
    },
    onSubscribed: (names) => subscribed.push(names),
    onFailed: (reason) => failed.push(reason),
    sleep: instantSleep(),
  });
  const add = (name: string): Promise<void> => {
    venueSymbols.push(name);
    return connection.grow();
  };
  return { first, connection, add, later, subscribed, failed };
}

test('symbols that follow take the place of the second connection, and leave the first alone', async () => {
  const { first, connection, add, later, subscribed } = grown();
  await add('ATOM');
  await add('NEAR');
  expect(later.map(({ venueSymbols }) => venueSymbols)).toEqual([['ATOM'], ['ATOM', 'NEAR']]);
  expect(subscribed).toEqual([['ATOM'], ['ATOM', 'NEAR']]);
  expect(await later[0]!.closed).toBe('closed by us');
  expect(await Promise.race([connection.closed, first.closed, 'open'])).toBe('open');
});

test('symbols that are added while one is subscribed to are subscribed to together', async () => {
  const { add, later } = grown();
  await Promise.all([add('ATOM'), add('NEAR'), add('DOT')]);
  expect(later.map(({ venueSymbols }) => venueSymbols)).toEqual([['ATOM'], ['ATOM', 'NEAR', 'DOT']]);
});

test('a refusal is reported and tried again, and the connection goes on', async () => {
  const { connection, add, later, failed } = grown(2);
  await add('ATOM');
  expect(failed).toEqual(['refused', 'refused']);
  expect(later.length).toBe(1);
  expect(await Promise.race([connection.closed, 'open'])).toBe('open');
});

test('it ends as a whole if either ends, and closes both', async () => {
  const one = grown();
  await one.add('ATOM');
  one.later[0]!.end('gone');
  expect([await one.connection.closed, await one.first.closed]).toEqual(['gone', 'closed by us']);
  const other = grown();
  await other.add('ATOM');
  other.first.end('lost');
  expect([await other.connection.closed, await other.later[0]!.closed]).toEqual(['lost', 'closed by us']);
  await other.add('NEAR');
  expect(other.later.length).toBe(1);
});
