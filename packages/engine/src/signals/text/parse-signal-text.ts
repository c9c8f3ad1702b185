// Reads signals from messages as people write them in channels. It never guesses: a message is understood as a whole, or refused with
// the part that was unclear.
import type { MarketSymbol } from '../../market/instrument.ts';
import { BlockReader } from './block-reader.ts';
import type { PricedInstrument } from './draft-levels.ts';
import { type FoldedText, foldText, MAX_MESSAGE, reorderingAt } from './folded-text.ts';
import { InstrumentNames } from './instrument-names.ts';
import type { Meaning } from './lexicon.ts';
import { hasMeaning, linesOf, type MessageBlock, messageBlocks } from './message-blocks.ts';
import { type Breakeven, withoutNotes } from './notes-in-text.ts';
import { type MarketPrice, type ParsedSignal, parsedSignal } from './parsed-signal.ts';
import { type SignalUpdate, signalUpdate } from './signal-update.ts';
import { type Token, tokenize } from './tokens.ts';
import { type Unclear, type UnclearReason, UnclearText } from './unclear.ts';

/** Places are positions in the message, in code points. */
export type ParsedText =
  | { readonly kind: 'signals'; readonly signals: readonly ParsedSignal[] }
  | {
      readonly kind: 'update';
      readonly update: SignalUpdate;
      /** The symbols that each named instrument can stand for; empty for one that the service does not have. */
      readonly instruments: readonly (readonly MarketSymbol[])[];
    }
  | ({ readonly kind: 'unclear' } & Unclear);

export interface SignalTextOptions {
  /** The list may grow. */
  readonly instruments: readonly PricedInstrument[];
  /** The standing quote. What it throws leaves `parse`. */
  readonly marketPrice: (symbol: MarketSymbol) => MarketPrice;
}

export class SignalTextParser {
  readonly #options: SignalTextOptions;
  readonly #names: InstrumentNames;

  constructor(options: SignalTextOptions) {
    this.#options = options;
    this.#names = new InstrumentNames(options.instruments);
  }

  parse(message: string): ParsedText {
    const points = Array.from(message);
    const reordering = reorderingAt(points);
    if (points.length > MAX_MESSAGE) return TOO_LONG;
    if (reordering >= 0)
      return unclear('reordered', 'The message contains a character that changes the order in which it is shown.', {
        from: reordering,
        to: reordering + 1,
      });
    const folded = foldText(message);
    // Some characters are folded into several.
    if (folded.text.length > 2 * MAX_MESSAGE) return TOO_LONG;
    try {
      return this.#parse(folded);
    } catch (error) {
      if (!(error instanceof UnclearText)) throw error;
      const { reason, detail, place } = error;
      return unclear(reason, detail, place && originalPlace(place, folded));
    }
  }

  #parse(folded: FoldedText): ParsedText {
    if (!/[\p{L}\d]/u.test(folded.text)) throw new UnclearText('empty', 'The message has no words.', null);
    const all = tokenize(folded, this.#names);
    const update = signalUpdate(folded.text, all);
    if (update) {
      if (QUESTION.test(folded.points.join('')))
        throw new UnclearText('doubt', 'This is a question. Write it without the question mark if you mean it.', null);
      const named = all.filter((token) => token.kind === 'instrument');
      return { kind: 'update', update, instruments: named.map((token) => token.named.symbols) };
    }
    const { text, breakeven } = withoutNotes(folded);
    const tokens = tokenize(text, this.#names);
    checkWords(tokens, folded.text);
    const signals = messageBlocks(tokens).map((block) => this.#signal(block, breakeven));
    return { kind: 'signals', signals: signals.map((signal) => withOriginalPlaces(signal, folded)) };
  }

  #signal(block: MessageBlock, breakeven: readonly Breakeven[]): ParsedSignal {
    const { symbol, named, tokens } = block;
    const spec = this.#options.instruments.find((instrument) => instrument.symbol === symbol)!;
    const [from, to] = [tokens[0]!.from, tokens.at(-1)!.to];
    const own = breakeven.filter((place) => place.from >= Math.min(from, named.from) && place.from <= to + 1);
    const read = new BlockReader(tokens).read();
    if (own.length > 1) throw new UnclearText('target_order', 'Break-even is mentioned twice.', own[1]!);
    try {
      return parsedSignal({ named, spec, market: this.#options.marketPrice(symbol), read, breakeven: own[0] ?? null });
    } catch (error) {
      // What is missing is missing in this block.
      if (error instanceof UnclearText && error.place === null)
        throw new UnclearText(error.reason, error.detail, {
          from: tokens.find(isVisible)!.from,
          to: tokens.findLast(isVisible)!.to,
        });
      throw error;
    }
  }
}

const isVisible = (token: Token): boolean => token.kind !== 'break';

const unclear = (reason: UnclearReason, detail: string, place: Unclear['place']): ParsedText => ({
  kind: 'unclear',
  reason,
  detail,
  place,
});

const TOO_LONG = unclear('too_long', `A message has at most ${MAX_MESSAGE} characters.`, null);

const UNCLEAR_MEANINGS: Readonly<Partial<Record<Meaning, readonly [UnclearReason, string]>>> = {
  report: ['report', 'reads like a report about an earlier signal. Write only the new signal.'],
  doubt: ['doubt', 'makes the signal uncertain or conditional. Write what you publish, without conditions.'],
  negation: ['negation', 'can reverse the meaning of the message. Leave the sentence out.'],
  deadline: ['deadline', 'is a deadline, which cannot be read from a message. Set expires_at in the fields.'],
  trailing: ['trailing_stop', 'is not possible: a stop does not follow the price. Leave it out.'],
  'other-market': [
    'unknown_instrument',
    'names another market than the spot price. Write the symbol of the instrument.',
  ],
  'stop-limit': ['order_type', 'is not possible. Write a limit or a stop order.'],
};

/** Words of disclaimers, whose lines are not part of a signal. */
const DISCLAIMER =
  /(?<!\p{L})(?:risk|risks|advice|disclaimer|responsible|responsibility|nfa|dyor|leverage|lot|lots|money management|overtrade|over-trade|educational|invest|riesgo|risco|risiko|risque|риск|рисками|финансовой|مخاطر|مخاطره|مسؤوليه|مسووليه|resiko|risiko)(?!\p{L})/u;

/** In any script, also as an emoji. */
const QUESTION = /[?¿؟？⁇⁈⁉❓❔]/u;

/** Refuses doubt, conditions, negations and reports, wherever they stand outside of disclaimers. */
function checkWords(tokens: readonly Token[], text: string): void {
  for (const line of linesOf(tokens)) {
    if (isDisclaimer(line, text)) continue;
    for (const token of line) {
      if (token.kind === 'mark' && /[?\u00bf\u061f]/.test(token.text))
        throw new UnclearText('doubt', 'This is a question. Write the signal without it.', token);
      const [reason, sentence] = (token.kind === 'word' && UNCLEAR_MEANINGS[token.meaning as Meaning]) || [];
      if (reason) throw new UnclearText(reason, `“${text.slice(token.from, token.to)}” ${sentence}`, token);
    }
  }
}

const SIGNAL_WORDS: readonly Meaning[] = ['buy', 'sell', 'stop', 'stop-loss', 'target', 'entry', 'now'];

function isDisclaimer(line: readonly Token[], text: string): boolean {
  const [first, last] = [line[0], line.at(-1)];
  return (
    first !== undefined &&
    DISCLAIMER.test(text.slice(first.from, last!.to)) &&
    !hasMeaning(line, SIGNAL_WORDS) &&
    !line.some(({ kind }) => kind === 'instrument' || kind === 'number')
  );
}

function originalPlace(
  { from, to }: { from: number; to: number },
  { origin }: FoldedText,
): { from: number; to: number } {
  return { from: origin[from]!, to: origin[to - 1]! + 1 };
}

const withOriginalPlaces = (signal: ParsedSignal, folded: FoldedText): ParsedSignal => ({
  ...signal,
  parts: signal.parts.map(({ field, ...place }) => ({ field, ...originalPlace(place, folded) })),
});
