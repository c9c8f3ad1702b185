// Messages in the style of real channels, with what they mean. No field may be wrong; what is clear should be understood.
import { describe, expect, test } from 'bun:test';
import { type CorpusMessage, corpus, corpusPrice } from '../../../testing/signal-messages.ts';
import { CATALOGUE } from '../../market/catalogue.ts';
import { SignalTextParser } from './parse-signal-text.ts';

const CLEAR = ['plain.txt', 'orders.txt', 'decorated.txt', 'names.txt', 'languages.txt', 'several.txt'];
const parser = new SignalTextParser({ instruments: CATALOGUE, marketPrice: corpusPrice });

/** What the parser made of a message, in the form of an expectation. */
function read(text: string): unknown {
  const parsed = parser.parse(text);
  if (parsed.kind === 'unclear') return { kind: 'unclear', reason: parsed.reason };
  if (parsed.kind === 'update') return { kind: 'update', update: parsed.update };
  return {
    kind: 'signals',
    signals: parsed.signals.map(({ symbol, direction, entry, stopLoss, targets, breakevenAfter, notes }) => ({
      direction,
      symbol: symbol as string,
      entry,
      stopLoss,
      targets: targets.map(({ price }) => price),
      fractions: targets.map(({ fraction }) => fraction),
      breakevenAfter,
      notes: notes.filter((note) => !note.startsWith('1 pip')).length,
    })),
  };
}

const EQUAL_PARTS: readonly (readonly number[])[] = [
  [],
  [1],
  [0.5, 0.5],
  [0.3333, 0.3333, 0.3334],
  [0.25, 0.25, 0.25, 0.25],
  [0.2, 0.2, 0.2, 0.2, 0.2],
];

const withParts = ({ expected }: CorpusMessage): unknown =>
  expected.kind !== 'signals'
    ? expected
    : {
        kind: 'signals',
        signals: expected.signals.map((signal) => ({
          ...signal,
          fractions: signal.fractions ?? EQUAL_PARTS[signal.targets.length],
          notes: signal.entry === null ? expect.any(Number) : signal.notes,
        })),
      };

test('the corpus has 300 clear messages and 100 that must be refused', () => {
  expect(CLEAR.flatMap((file) => corpus(file)).length).toBeGreaterThanOrEqual(300);
  expect(corpus('refused.txt').filter(({ expected }) => expected.kind === 'unclear').length).toBeGreaterThanOrEqual(
    100,
  );
});

for (const file of [...CLEAR, 'refused.txt'])
  describe(file, () => {
    for (const message of corpus(file))
      test(`${message.because}: ${message.text.replaceAll('\n', ' ⏎ ')}`, () => {
        expect(read(message.text)).toEqual(withParts(message));
      });
  });
