// Signals in messages: drafts of what a message says, against the standing quotes. What is unclear is an error with the part.
import type { SignalDraft, SignalRequest } from '@tickwire/contract';
import {
  type InstrumentSpec,
  type ParsedSignal,
  type ParsedText,
  SignalTextParser,
  type SignalUpdate,
  type UnclearReason,
  type Verifier,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { noQuote } from '../market/stale-quote.ts';

/** What a message says. `part`: what was unclear. */
export type SignalTextReading =
  | { readonly kind: 'signals'; readonly drafts: readonly SignalDraft[] }
  | Extract<ParsedText, { kind: 'update' }>
  | {
      readonly kind: 'unclear';
      readonly reason: UnclearReason;
      readonly detail: string;
      readonly part: string | null;
    };

const UPDATES: Readonly<Record<SignalUpdate, string>> = {
  breakeven: 'The message moves the stop of a published signal. Use POST /api/signals/{id}/amend with its entry.',
  close: 'The message closes a published signal. Use POST /api/signals/{id}/close.',
  close_half: 'A part of a signal cannot be closed on request. Parts exit at its targets.',
  cancel: 'The message withdraws a published signal. Use POST /api/signals/{id}/close, which withdraws a pending one.',
};

export interface SignalTextsOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly verifier: Pick<Verifier, 'quote'>;
}

export class SignalTexts {
  readonly #parser: SignalTextParser;

  constructor({ instruments, verifier }: SignalTextsOptions) {
    this.#parser = new SignalTextParser({
      instruments,
      marketPrice(symbol) {
        const quote = verifier.quote(symbol);
        if (!quote) throw noQuote(symbol);
        return quote;
      },
    });
  }

  read(text: string): SignalTextReading {
    const points = Array.from(text);
    const parsed = this.#parser.parse(text);
    if (parsed.kind === 'update') return parsed;
    if (parsed.kind === 'signals')
      return { kind: 'signals', drafts: parsed.signals.map((signal) => draftOf(signal, points)) };
    const { reason, detail, place } = parsed;
    return { kind: 'unclear', reason, detail, part: place && points.slice(place.from, place.to).join('') };
  }

  /** The signals of a message. Throws if any of it is unclear. */
  drafts(text: string): readonly SignalDraft[] {
    const reading = this.read(text);
    if (reading.kind === 'signals') return reading.drafts;
    throw reading.kind === 'update' ? unclear(UPDATES[reading.update]) : unclear(reading.detail, reading.part);
  }

  /** The publication that a message states. */
  request(text: string): SignalRequest {
    return onlyRequest(this.drafts(text));
  }
}

/** The publication of a message. Throws if the message has several. */
export function onlyRequest([draft, ...others]: readonly SignalDraft[]): SignalRequest {
  if (others.length > 0)
    throw unclear(`The message has ${others.length + 1} signals. Publish each with a message of its own.`);
  const { parts: _, notes: __, ...request } = draft!;
  return request;
}

/** `part`: what was unclear. */
const unclear = (sentence: string, part: string | null = null): ServiceError =>
  part === null
    ? new ServiceError('unclear_signal', sentence)
    : new ServiceError('unclear_signal', sentence, {
        errors: [{ parameter: 'text', value: part, allowed: 'a message that states a clear signal' }],
      });

function draftOf(
  { symbol, direction, entry, stopLoss, targets, breakevenAfter, parts, notes }: ParsedSignal,
  points: readonly string[],
): SignalDraft {
  return {
    symbol,
    direction,
    ...(entry === null ? { order: 'market' as const } : { entry }),
    stop_loss: stopLoss,
    take_profit: targets.at(-1)!.price,
    ...(targets.length > 1 && { targets: [...targets] }),
    ...(breakevenAfter !== null && { breakeven_after: breakevenAfter }),
    parts: parts.map(({ field, from, to }) => ({ field, text: points.slice(from, to).join(''), start: from, end: to })),
    notes: [...notes],
  };
}
