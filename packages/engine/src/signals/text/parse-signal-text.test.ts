// Laws of the parser: what is written in any of twenty ways is read as written; nothing is ever read on the wrong side of its entry.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { corpus, corpusPrice } from '../../../testing/signal-messages.ts';
import { TEMPLATES, type WrittenSignal } from '../../../testing/signal-templates.ts';
import { CATALOGUE } from '../../market/catalogue.ts';
import { asSymbol } from '../../market/instrument.ts';
import { fromTicks, toTicks } from '../../market/price.ts';
import { type ParsedText, SignalTextParser } from './parse-signal-text.ts';
import type { ParsedSignal } from './parsed-signal.ts';

const parser = new SignalTextParser({ instruments: CATALOGUE, marketPrice: corpusPrice });

/** Whether the levels lie on their sides: of a market order, around the market. */
function isOrdered({ symbol, direction, entry, stopLoss, targets }: ParsedSignal): boolean {
  const market = corpusPrice(symbol);
  const sign = direction === 'buy' ? 1 : -1;
  const levels = [stopLoss, entry ?? (sign === 1 ? market.ask : market.bid), ...targets.map(({ price }) => price)];
  return levels.every((level, index) => index === 0 || sign * levels[index - 1]! < sign * level);
}

const drafts = (parsed: ParsedText): readonly ParsedSignal[] => (parsed.kind === 'signals' ? parsed.signals : []);

/** A signal with distances in parts of 10,000 of its price, so that it has a few pips in any instrument. */
const signals = fc
  .record({
    spec: fc.constantFrom(...CATALOGUE),
    direction: fc.constantFrom('buy' as const, 'sell' as const),
    isMarket: fc.boolean(),
    offset: fc.integer({ min: -300, max: 300 }),
    stop: fc.integer({ min: 20, max: 900 }),
    steps: fc.array(fc.integer({ min: 20, max: 300 }), { minLength: 1, maxLength: 5 }),
    namesOrder: fc.boolean(),
  })
  .map(({ spec, direction, isMarket, offset, stop, steps, namesOrder }) => {
    const { symbol, digits } = spec;
    const sign = direction === 'buy' ? 1 : -1;
    const { bid, ask } = corpusPrice(symbol);
    const market = toTicks(direction === 'buy' ? ask : bid, digits);
    const unit = Math.max(1, Math.floor(market / 10_000));
    const entry = isMarket ? market : market + offset * unit;
    let target = entry;
    const targets = steps.map((step) => {
      target += sign * step * unit;
      return target;
    });
    const kind = sign * (entry - market) < 0 ? ('limit' as const) : ('stop' as const);
    const levels = { entry: isMarket ? null : entry, stop: entry - sign * stop * unit, targets };
    const write = (ticks: number): string => fromTicks(ticks, digits).toFixed(digits);
    const written: WrittenSignal = {
      symbol,
      direction,
      entry: levels.entry === null ? null : write(levels.entry),
      order: isMarket || !namesOrder || entry === market ? null : kind,
      stop: write(levels.stop),
      targets: targets.map(write),
    };
    return written;
  });

describe('a signal that is written in a template', () => {
  for (const [index, template] of TEMPLATES.entries())
    test(`${index + 1} is read as written: ${template({ symbol: 'XAUUSD', direction: 'buy', entry: '3330.000', order: null, stop: '3322.500', targets: ['3340.000', '3350.000'] }).replaceAll('\n', ' ⏎ ')}`, () => {
      fc.assert(
        fc.property(signals, (signal) => {
          const parsed = parser.parse(template(signal));
          expect(parsed).toMatchObject({ kind: 'signals' });
          const [draft, ...others] = drafts(parsed);
          expect(others).toEqual([]);
          expect(draft).toMatchObject({
            symbol: asSymbol(signal.symbol),
            direction: signal.direction,
            entry: signal.entry === null ? null : Number(signal.entry),
            stopLoss: Number(signal.stop),
            breakevenAfter: null,
          });
          expect(draft!.targets.map(({ price }) => price)).toEqual(signal.targets.map(Number));
        }),
        { numRuns: 60 },
      );
    });
});

/** Words, numbers and marks of signals in any order. */
const PIECES = [
  ...[
    'XAUUSD',
    'gold',
    'EURUSD',
    'BUY',
    'SELL',
    'long',
    'short',
    'now',
    'limit',
    'stop',
    'SL',
    'TP',
    'TP1',
    'TP2',
    'entry',
    'at',
    '@',
  ],
  ...[
    '3330',
    '3322',
    '3340',
    '3350',
    '3,325',
    '3 345',
    '1.0850',
    '1.0800',
    '1.09',
    '30 pips',
    '50',
    '2',
    '1)',
    '10%',
    'open',
    'to',
    '-',
    '/',
  ],
  ...[
    '\n',
    '\n\n',
    ',',
    ':',
    '✅',
    '🎯',
    'around',
    'zone',
    'be',
    'SL to BE after TP1',
    'target',
    'شراء',
    'стоп',
    'objetivo',
    'x',
    '.',
  ],
];

describe('any text', () => {
  test('made of the words of signals never gives a level on the wrong side, nor parts that do not add up', () => {
    let understood = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }), (pieces) => {
        for (const draft of drafts(parser.parse(pieces.join(' ')))) {
          understood++;
          expect(isOrdered(draft)).toBe(true);
          expect(Math.round(draft.targets.reduce((sum, { fraction }) => sum + fraction, 0) * 1e4)).toBe(1e4);
        }
      }),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(
        fc.shuffledSubarray(['BUY', 'SELL', '3330', 'SL 3322', 'SL 3340', 'TP 3336', 'TP 3350', 'TP 3310', 'now'], {
          minLength: 4,
          maxLength: 5,
        }),
        (pieces) => {
          for (const draft of drafts(parser.parse(`XAUUSD ${pieces.join(' ')}`))) {
            understood++;
            expect(isOrdered(draft)).toBe(true);
          }
        },
      ),
      { numRuns: 2000 },
    );
    expect(understood).toBeGreaterThan(10);
  });

  test('of arbitrary characters is read or refused with a place inside of the message, and never throws', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }).map((noise) => `XAUUSD BUY 3330 ${noise} SL 3322 TP 3340`),
    );
    fc.assert(
      fc.property(text, (message) => {
        const length = Array.from(message).length;
        const parsed = parser.parse(message);
        const places =
          parsed.kind === 'unclear'
            ? [parsed.place ?? { from: 0, to: length }]
            : drafts(parsed).flatMap(({ parts }) => parts);
        for (const { from, to } of places) expect(0 <= from && from <= to && to <= length).toBe(true);
      }),
      { numRuns: 800 },
    );
  });

  test('that says maybe is refused, wherever it says so', () => {
    fc.assert(
      fc.property(signals, fc.constantFrom(...TEMPLATES.slice(0, 8)), fc.nat(), (signal, template, at) => {
        const words = template(signal).split(' ');
        words.splice(at % (words.length + 1), 0, 'maybe');
        expect(parser.parse(words.join(' ')).kind).toBe('unclear');
      }),
      { numRuns: 300 },
    );
  });
});

describe('the parts of a draft', () => {
  const partsOf = (message: string): Record<string, string> => {
    const points = Array.from(message);
    const [draft] = drafts(parser.parse(message));
    return Object.fromEntries(draft!.parts.map(({ field, from, to }) => [field, points.slice(from, to).join('')]));
  };

  test('are what the message says, in its own spelling', () => {
    expect(partsOf('🔥 Gold 𝗕𝗨𝗬 3330,5 🛑 SL 3 322 🎯 TP1️⃣ 3340 TP2️⃣ 3350\nSL to BE after TP1')).toEqual({
      symbol: 'Gold',
      direction: '𝗕𝗨𝗬',
      entry: '3330,5',
      stop_loss: '3 322',
      'targets[0]': '3340',
      'targets[1]': '3350',
      breakeven_after: 'SL to BE after TP1',
    });
  });

  test('name the order of a market order and the only target', () => {
    expect(partsOf('Gold sell now SL 3343 TP 3320')).toEqual({
      symbol: 'Gold',
      direction: 'sell',
      order: 'now',
      stop_loss: '3343',
      take_profit: '3320',
    });
  });

  test('are none of the emoji, mentions and times of Discord', () => {
    const message =
      '<:gold:112233445566778899> **Gold sell now** <@&1180000>\nSL 3343 <a:stop:99>\nTP 3320 <t:1618953630:R>';
    expect(partsOf(message)).toMatchObject({ symbol: 'Gold', stop_loss: '3343', take_profit: '3320' });
  });

  test('of every clear message spell the prices of the draft', () => {
    for (const { text } of corpus('plain.txt')) {
      const points = Array.from(text);
      for (const draft of drafts(parser.parse(text)))
        for (const { field, from, to } of draft.parts)
          if (field === 'entry' || field === 'stop_loss')
            expect(Number(points.slice(from, to).join('').replace(',', ''))).toBe(
              field === 'entry' ? draft.entry! : draft.stopLoss,
            );
    }
  });
});

describe('a refusal', () => {
  const refusal = (text: string): unknown => {
    const parsed = parser.parse(text);
    if (parsed.kind !== 'unclear') return parsed;
    const { detail, place } = parsed;
    return { detail, part: place && Array.from(text).slice(place.from, place.to).join('') };
  };

  test('has a sentence that can be acted on, and the part that was unclear', () => {
    expect(refusal('🚀 XAUUSD BUY 3330-3325 SL 3318 TP 3345')).toEqual({
      detail: 'The entry is a range. Write one price.',
      part: '3325',
    });
    expect(refusal('EURUSD BUY 1.0850 SL 30 TP 50')).toEqual({
      detail:
        'SL 30 is not a price of EURUSD near 1.085. Write the price with all its digits, or “30 pips” for a distance.',
      part: '30',
    });
  });

  test('of one signal of several names its part', () => {
    expect(refusal('XAUUSD BUY 3330 SL 3322 TP 3340\nEURUSD SELL 1.0870 TP 1.0820')).toEqual({
      detail: 'There is no stop loss. Write SL and its price.',
      part: 'EURUSD SELL 1.0870 TP 1.0820',
    });
  });

  test('of a message that is too long or reordered says so', () => {
    expect(refusal('x'.repeat(4097))).toEqual({ detail: 'A message has at most 4096 characters.', part: null });
    expect(refusal('XAUUSD BUY 3330 SL \u202e2233\u202c TP 3340')).toMatchObject({ part: '\u202e' });
  });
});

test('an update says which instruments it names', () => {
  const named = (text: string) => {
    const parsed = parser.parse(text);
    return parsed.kind === 'update' ? parsed.instruments.map((symbols) => symbols.join(' ')) : null;
  };
  expect(named('Close')).toEqual([]);
  expect(named('Close gold now')).toEqual(['XAUUSD']);
  expect(named('EURUSD: close XAU/USD')).toEqual(['EURUSD', 'XAUUSD']);
});

test('names of coins are ambiguous if the service has several markets of the coin', () => {
  const [btc] = CATALOGUE.filter(({ symbol }) => symbol === 'BTCUSD');
  const several = new SignalTextParser({
    instruments: [btc!, { ...btc!, symbol: asSymbol('BTCUSDT.P') }],
    marketPrice: () => ({ bid: 68_000, ask: 68_001 }),
  });
  const message = (name: string): string => `${name} long 67500 SL 66000 TP 70000`;
  expect(several.parse(message('BTC'))).toMatchObject({ reason: 'ambiguous_instrument' });
  expect(drafts(several.parse(message('BTCUSD')))[0]?.symbol as string).toBe('BTCUSD');
  expect(drafts(several.parse(message('BTC/USD')))[0]?.symbol as string).toBe('BTCUSD');
  expect(drafts(several.parse(message('BTCUSDT.P')))[0]?.symbol as string).toBe('BTCUSDT.P');
  expect(drafts(several.parse(message('BTC-USDT-SWAP')))[0]?.symbol as string).toBe('BTCUSDT.P');
});
