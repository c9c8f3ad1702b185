// The replay sessions of accounts: creating, listing and ending them, and setting their clocks.
import { randomBytes } from 'node:crypto';
import {
  INTERVALS,
  iso,
  MAX_REPLAY_DAYS,
  parseInstant,
  type ReplaySession,
  type ReplaySessionChange,
  type ReplaySessionRequest,
} from '@tickwire/contract';
import {
  asEpochMs,
  type ChartInterval,
  DAY_MS,
  intervalAt,
  type MarketSymbol,
  MINUTE_MS,
  parseChartInterval,
  SECOND_MS,
  UTC_DAY,
} from '@tickwire/engine';
import type { Caller } from '../access/caller.ts';
import { invalidParameter, ServiceError, symbolNotFound } from '../errors/service-error.ts';
import type { MarketView } from '../market/market-view.ts';
import type { Sleep } from '../work/back-off.ts';
import type { KeptDocuments } from '../work/kept-documents.ts';
import { PracticeDocuments } from './practice/practice-documents.ts';
import { replaySources } from './replay-sources.ts';
import { clockSet, type ReplayState, sessionOf } from './replay-state.ts';
import type { WorldSources } from './replay-world.ts';
import { SessionStates } from './session-states.ts';
import { SessionWorlds } from './session-worlds.ts';

/** A session that was not used for this time ends. */
export const SESSION_KEPT_MS = 15 * MINUTE_MS;
/** Tries to seek while others seek. */
const SEEK_TRIES = 10;
/** What is recorded now is stored by then. */
const RECORDED_MS = 10 * SECOND_MS;

export interface ReplaySessionsOptions extends WorldSources {
  readonly market: Pick<MarketView, 'resolve' | 'similar'>;
  readonly kept: KeptDocuments;
  /** Waits. Default: `Bun.sleep`. */
  readonly sleep?: Sleep;
  /** Instruments of all sessions whose markets are in memory. Default: 1,000. */
  readonly maxInstruments?: number;
}

export class ReplaySessions {
  readonly #options: ReplaySessionsOptions;
  /** What was done in the sessions about practice signals. */
  readonly practice: PracticeDocuments;
  readonly #states: SessionStates;
  readonly #worlds: SessionWorlds;

  constructor(options: ReplaySessionsOptions) {
    this.#options = options;
    const { kept, now } = options;
    this.practice = new PracticeDocuments(kept);
    this.#states = new SessionStates({ kept, practice: this.practice, now });
    this.#worlds = new SessionWorlds(options, this.#states);
  }

  /** The markets of the sessions. */
  get worlds(): Omit<SessionWorlds, 'close'> {
    return this.#worlds;
  }

  async create(request: ReplaySessionRequest, caller: Caller): Promise<ReplaySession> {
    const { account } = caller;
    const { now } = this.#options;
    const time = Math.floor(now());
    const symbols = this.#symbols(request.symbols, account.tier.replay_symbols);
    const latest = Math.floor((time - RECORDED_MS) / SECOND_MS) * SECOND_MS;
    const from = parseInstant(request.from)!;
    const to = Math.min(latest, request.to === undefined ? latest : parseInstant(request.to)!);
    if (from >= to || to - from > MAX_REPLAY_DAYS * DAY_MS)
      throw invalidParameter(
        'from',
        request.from,
        `a time in the past, before to, and at most ${MAX_REPLAY_DAYS} days before it`,
      );
    const state: ReplayState = {
      id: `rpl_${randomBytes(8).toString('hex')}`,
      symbols,
      from,
      to,
      base: from,
      seeks: 0,
      playing: request.start === 'playing',
      speed: request.speed ?? 1,
      at: from,
      since: time,
      sources: [],
      createdAt: time,
    };
    const { tier } = account;
    if (!(await this.#states.add(state, caller, tier.replays)))
      throw new ServiceError('too_many_replays', `Your tier allows ${tier.replays} replay sessions. Delete one first.`);
    try {
      const sources = await this.#worlds.inReadTurns(caller, () => this.#sources(state));
      return sessionOf(
        await this.#states.update(state.id, caller, (before) => ({ ...before, sources })),
        from,
        SESSION_KEPT_MS,
      );
    } catch (error) {
      await this.#states.remove(state.id, caller);
      throw error;
    }
  }

  async list(caller: Caller): Promise<readonly ReplaySession[]> {
    return (await this.#states.list(caller)).map((state) => this.#shown(state));
  }

  async get(id: string, caller: Caller): Promise<ReplaySession> {
    return this.#shown(await this.#states.read(id, caller));
  }

  async delete(id: string, caller: Caller): Promise<ReplaySession> {
    const session = await this.get(id, caller);
    await this.#states.remove(id, caller);
    await this.#worlds.close(id);
    return session;
  }

  async change(id: string, change: ReplaySessionChange, caller: Caller): Promise<ReplaySession> {
    const { now } = this.#options;
    const bar = stepLength(change);
    const seek = change.seek === undefined ? null : parseInstant(change.seek);
    const changed = (before: ReplayState): ReplayState => {
      const time = Math.floor(now());
      const { from, to } = before;
      if (seek !== null && (seek < from || seek > to))
        throw invalidParameter('seek', change.seek!, `a time from ${iso(from)} to ${iso(to)}`);
      const at = seek ?? Math.max(before.at, this.#worlds.clockOf(before, time));
      const moved = seek === null ? before : { ...before, base: seek, seeks: before.seeks + 1 };
      const playing = change.step ? false : change.state ? change.state === 'playing' : before.playing;
      return { ...clockSet(moved, at, time), playing, speed: change.speed ?? before.speed };
    };
    const state = await (seek === null ? this.#states.update(id, caller, changed) : this.#seek(id, caller, changed));
    if (change.step) return this.#shown(await this.#step(id, bar, change.state === 'playing', caller));
    if (state.playing) return this.#shown(state);
    // What is just being played for streams still moves the clock.
    await this.#worlds.settled(id);
    return this.get(id, caller);
  }

  /** Changes the state with a seek. What the seek before it drops is dropped first, because this one may be to a later time. */
  async #seek(id: string, caller: Caller, change: (state: ReplayState) => ReplayState): Promise<ReplayState> {
    for (let tries = 0; tries < SEEK_TRIES; tries++) {
      const known = await this.#states.read(id, caller);
      await this.practice.dropLater(known, caller);
      let isMoved = false;
      const state = await this.#states.update(id, caller, (before) => {
        isMoved = before.seeks !== known.seeks;
        return isMoved ? before : change(before);
      });
      if (!isMoved) return state;
    }
    throw new ServiceError('store_unavailable', 'The session is changed by others all the time. Try again.');
  }

  #symbols(codes: readonly string[], limit: number): readonly MarketSymbol[] {
    const { market } = this.#options;
    const symbols = new Set<MarketSymbol>();
    for (const code of codes) {
      const symbol = market.resolve(code);
      if (!symbol) throw symbolNotFound(code, market.similar(code));
      symbols.add(symbol);
    }
    if (symbols.size > limit)
      throw invalidParameter('symbols', `${symbols.size} symbols`, `at most ${limit} in your tier`);
    return [...symbols];
  }

  #shown(state: ReplayState): ReplaySession {
    return sessionOf(state, this.#worlds.clockOf(state, this.#options.now()), SESSION_KEPT_MS);
  }

  /** Sets the clock of a paused session to the next event, or to the end of its bar. `playing`: whether it plays on from there. */
  #step(id: string, bar: ChartInterval | null, playing: boolean, caller: Caller): Promise<ReplayState> {
    return this.#worlds.use(id, caller, async (world, { to, seeks }) => {
      const next = await this.#worlds.inReadTurns(caller, () => world.nextEvent(to));
      const at = next === null ? to : bar === null ? next : Math.min(to, intervalAt(asEpochMs(next), bar, UTC_DAY).end);
      return this.#states.update(id, caller, (state) =>
        state.seeks === seeks
          ? { ...clockSet(state, Math.max(state.at, at), Math.floor(this.#options.now())), playing }
          : state,
      );
    });
  }

  #sources({ symbols, from, to }: ReplayState): Promise<ReplayState['sources']> {
    const { store, bars } = this.#options;
    return replaySources({ tape: store, bars }, symbols, from, to);
  }
}

/** The bar to whose end a change steps; `null` if to none. */
function stepLength({ step, interval }: ReplaySessionChange): ChartInterval | null {
  if (step !== 'bar') {
    if (interval === undefined) return null;
    throw invalidParameter('interval', interval, 'left out unless step is bar');
  }
  const bar = parseChartInterval(interval ?? '1m');
  if (!bar) throw invalidParameter('interval', interval!, INTERVALS);
  return bar;
}
