// Requests about practice signals: to publish one, to tighten its stop and to close it, against the quote of the clock. They are
// checked like those about real signals, but for signatures, the limits of publishers, and the text of a message.

import type { PublishedRecord } from '@tickwire/contract';
import {
  type AmendRequest,
  type ClosingSignal,
  iso,
  type PublishedSignal,
  type SignalRequest,
} from '@tickwire/contract';
import {
  type ActiveOrder,
  acceptSignal,
  acceptStop,
  asEpochMs,
  type InstrumentSpec,
  type QuoteEvidence,
} from '@tickwire/engine';
import type { Caller } from '../../access/caller.ts';
import { ServiceError, symbolNotFound } from '../../errors/service-error.ts';
import { FRESH_MS, isOpenMarket, noQuote, staleQuote } from '../../market/stale-quote.ts';
import { parseRecord } from '../../signals/log-records.ts';
import type { Idempotency } from '../../signals/publishing.ts';
import { termsOf } from '../../signals/publishing.ts';
import { publishedRecord } from '../../signals/signal-records.ts';
import { alreadyClosed, closeRequested, MAX_AMENDMENTS, notFound } from '../../signals/signal-requests.ts';
import { activeSignal, publishedSignal } from '../../signals/wire-signals.ts';
import type { ReplayState } from '../replay-state.ts';
import type { ReplayWorld } from '../replay-world.ts';
import {
  MAX_PRACTICE_ACTIONS,
  MAX_PRACTICE_SIGNALS,
  PRACTICE_PUBLISHER,
  type PracticeAction,
  type PracticeDocument,
  type PracticePublication,
  practiceId,
} from './practice-actions.ts';
import type { PracticeDocuments } from './practice-documents.ts';
import type { CountEvents } from './symbol-judge.ts';

/** Tries to add an action while others add theirs. */
const TRIES = 10;

/** A session at its clock, and who asks. */
export interface PracticeMoment {
  readonly world: ReplayWorld;
  readonly state: ReplayState;
  readonly caller: Caller;
  readonly count: CountEvents;
}

export interface PracticeRequestsOptions {
  readonly documents: PracticeDocuments;
  /** Simulated markets without trading hours. */
  readonly alwaysOpen: boolean;
}

/** An active practice signal that a request is about. */
interface OwnSignal {
  readonly spec: InstrumentSpec;
  readonly found: ActiveOrder;
  readonly published: PublishedRecord;
}

export class PracticeRequests {
  readonly #options: PracticeRequestsOptions;

  constructor(options: PracticeRequestsOptions) {
    this.#options = options;
  }

  async publish(
    moment: PracticeMoment,
    request: SignalRequest,
    idempotency: PracticePublication['idempotency'],
  ): Promise<PublishedSignal> {
    const { world, caller } = moment;
    const { name } = caller.account;
    const published = (publication: PracticePublication): PublishedSignal => {
      const spec = world.spec(publication.symbol)!;
      const details = { publisher: PRACTICE_PUBLISHER, request: publication.details, signed: null };
      return publishedSignal(publishedRecord(publication.order, spec, details), name);
    };
    const action = await this.#add(moment, (document) => {
      const before = idempotency && repeated(document, idempotency);
      if (before) return before;
      if (document.actions.filter(({ kind }) => kind === 'publish').length >= MAX_PRACTICE_SIGNALS)
        throw new ServiceError(
          'too_many_signals',
          `A replay session can have ${MAX_PRACTICE_SIGNALS} practice signals. Create another session.`,
        );
      const spec = world.spec(request.symbol);
      if (!spec) throw symbolNotFound(request.symbol, world.market.similar(request.symbol));
      const at = asEpochMs(world.clock);
      const number = document.last + 1;
      const order = acceptSignal(practiceId(number), spec, this.#quote(world, spec), termsOf(request), at);
      if ('rejected' in order) throw new ServiceError(order.rejected, order.detail);
      const { order: asked, targets, note } = request;
      const details = {
        ...(asked !== undefined && { order: asked }),
        ...(targets && { targets }),
        ...(note !== undefined && { note }),
      };
      return { kind: 'publish', number, at, symbol: spec.symbol, order, details, idempotency };
    });
    return published(action as PracticePublication);
  }

  /** The next quote closes it. The clock stands still meanwhile, so it is still active. */
  async close(moment: PracticeMoment, id: string): Promise<ClosingSignal> {
    const { world, caller } = moment;
    let closing: PublishedRecord | null = null;
    await this.#add(moment, async (document) => {
      const { spec, found, published } = await this.#own(moment, document, id);
      if (found.progress.closeRequest) throw closeRequested(id);
      const quote = found.progress.fill ? this.#quote(world, spec) : newestQuote(world, spec);
      closing = published;
      const action = { at: world.clock, number: document.last + 1, symbol: spec.symbol, signal: id, quote };
      return { kind: 'close', ...action };
    });
    return { ...activeSignal(closing!, caller.account.name), close_requested_at: iso(world.clock) };
  }

  /** Tightens the stop. Repeating the current stop changes nothing. */
  async amend(moment: PracticeMoment, id: string, { stop_loss }: AmendRequest): Promise<void> {
    const { world } = moment;
    await this.#add(moment, async (document) => {
      const { spec, found } = await this.#own(moment, document, id);
      const quote = this.#quote(world, spec);
      const result = acceptStop(found, spec, quote, stop_loss);
      if (result === null) return null;
      if ('rejected' in result) throw new ServiceError(result.rejected, result.detail);
      if (found.progress.amendments.length >= MAX_AMENDMENTS)
        throw new ServiceError('too_many_amendments', `The stop of ${id} was changed ${MAX_AMENDMENTS} times.`);
      const action = { at: world.clock, number: document.last + 1, symbol: spec.symbol, signal: id, quote };
      return { kind: 'amend', ...action, stopLoss: result.stopLoss };
    });
  }

  /** Adds what `make` returns, unless it returns `null` or an action that the document has. It may be called several times. */
  async #add(
    { state, caller }: PracticeMoment,
    make: (document: PracticeDocument) => PracticeAction | null | Promise<PracticeAction | null>,
  ): Promise<PracticeAction | null> {
    const { documents } = this.#options;
    for (let tries = 0; tries < TRIES; tries++) {
      const document = await documents.read(state, caller);
      const action = await make(document);
      if (action === null || document.actions.includes(action)) return action;
      if (document.actions.length >= MAX_PRACTICE_ACTIONS)
        throw new ServiceError(
          'too_many_signals',
          `A replay session takes ${MAX_PRACTICE_ACTIONS} requests about practice signals. Create another session.`,
        );
      if (await documents.add(state, caller, document, action)) return action;
    }
    throw new ServiceError('store_unavailable', 'The session is changed by others all the time. Try again.');
  }

  async #own({ world, count }: PracticeMoment, { actions }: PracticeDocument, id: string): Promise<OwnSignal> {
    const { log, find } = await world.practice.asOf(actions, world.clock, count);
    const stored = await log.signal(id);
    if (!stored) throw notFound(id);
    const published = parseRecord<PublishedRecord>(stored.published);
    const spec = world.spec(published.symbol)!;
    const found = find(spec.symbol, id);
    if (!found || world.clock >= found.deadline) throw alreadyClosed(id);
    return { spec, found, published };
  }

  /** The quote of the clock, if the market was open and the quote was fresh; throws otherwise. */
  #quote(world: ReplayWorld, spec: InstrumentSpec): QuoteEvidence {
    const quote = newestQuote(world, spec);
    if (!this.#options.alwaysOpen && !isOpenMarket(spec, quote, world.clock))
      throw new ServiceError('market_closed', `The market for ${spec.symbol} was closed at this time.`);
    const age = world.clock - quote.time;
    if (age > FRESH_MS) throw staleQuote(spec.symbol, age);
    return quote;
  }
}

function newestQuote({ market }: ReplayWorld, { symbol }: InstrumentSpec): QuoteEvidence {
  const tick = market.tick(symbol);
  if (!tick) throw noQuote(symbol);
  const { time, bid, ask } = tick;
  return { kind: 'quote', seq: 0, time, bid, ask, source: market.quoteSource(symbol) };
}

/** The publication that was made with the same key. */
function repeated(
  { actions }: PracticeDocument,
  { key, bodyHash }: NonNullable<PracticePublication['idempotency']>,
): PracticePublication | null {
  const before = actions.find(
    (action): action is PracticePublication => action.kind === 'publish' && action.idempotency?.key === key,
  );
  if (!before) return null;
  if (before.idempotency!.bodyHash === bodyHash) return before;
  throw new ServiceError('idempotency_conflict', 'This Idempotency-Key was used before with another request body.');
}

export const hashed = ({ key, bodyHash }: Idempotency): NonNullable<PracticePublication['idempotency']> => ({
  key,
  bodyHash: Buffer.from(bodyHash).toString('hex'),
});
