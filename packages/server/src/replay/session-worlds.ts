// The markets of sessions in this process: made when somebody asks about a session, played up to its clock, and closed when nobody
// asked for a while. Requests of a session take turns.
import { MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import type { Caller } from '../access/caller.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { Sleep } from '../work/back-off.ts';
import { LruMap } from '../work/lru-map.ts';
import { RollingSum } from '../work/rolling-sum.ts';
import type { GoOn } from './event-player.ts';
import { clockOf, clockSet, type ReplayState } from './replay-state.ts';
import { ReplayWorld, type WorldSources } from './replay-world.ts';
import { SessionMoved } from './session-moved.ts';
import type { SessionStates } from './session-states.ts';

/** Markets that nobody asked about for this time are closed. They are made again when they are needed. */
const IDLE_WORLD_MS = 2 * MINUTE_MS;
const MAX_INSTRUMENTS = 1_000;
const MAX_ACCOUNTS = 20_000;
/** Events are played for streams about every this many milliseconds, for at most so many at a time. */
const PLAY_MS = 25;
const TURN_MS = 10;
const WAIT_MS = 1;
/** At a speed, a request plays for at most this long beyond the stored clock, and for `TURN_MS` while others wait for it. */
const REQUEST_MS = SECOND_MS;
/** When to try again if the tier allows no more events now. */
const RETRY_SECONDS = 5;
/** How long readers in lockstep are waited for within a turn, while no request waits, and then without one. */
const ANSWER_MS = 2;
const SILENT_MS = 5 * SECOND_MS;
/** A client that asked for a stream connects within this time. */
const CONNECT_MS = 5 * SECOND_MS;
/** What is loaded for one request serves those after it. */
const NEVER = { aborted: false };

export interface SessionWorldsOptions extends WorldSources {
  /** Waits. Default: `Bun.sleep`. */
  readonly sleep?: Sleep;
  /** Instruments of all sessions whose markets are in memory. Default: 1,000. */
  readonly maxInstruments?: number;
}

/** The markets of a session in this process. */
interface OpenWorld {
  readonly id: string;
  /** Whether its events are played for streams. */
  plays: boolean;
  /** The seek that it was made for. */
  readonly seeks: number;
  readonly world: Promise<ReplayWorld>;
  /** The same once it is made. */
  made: ReplayWorld | null;
  /** Whether the last turn stopped before the clock because its time was over. */
  wasCut: boolean;
  /** Requests of a session are handled one after the other. */
  turn: Promise<unknown>;
  /** Ends the waiting for readers within a turn. */
  interrupt: () => void;
  usedAt: number;
  users: number;
  readonly instruments: number;
}

/** The state of a session, and a time at which it was current. */
interface StateAt {
  readonly state: ReplayState;
  readonly time: number;
}

export class SessionWorlds {
  readonly #options: SessionWorldsOptions;
  readonly #states: SessionStates;
  readonly #worlds = new Map<string, OpenWorld>();
  readonly #events = new LruMap<string, RollingSum>(MAX_ACCOUNTS);

  constructor(options: SessionWorldsOptions, states: SessionStates) {
    this.#options = options;
    this.#states = states;
  }

  /** Sessions whose markets are in the memory of this process. */
  get open(): number {
    return this.#worlds.size;
  }

  /** Calls `work` with the markets of a session, as of its clock. Nothing is played meanwhile. */
  use<T>(id: string, caller: Caller, work: (world: ReplayWorld, state: ReplayState) => T | Promise<T>): Promise<T> {
    return this.#use(id, caller, work, false);
  }

  /** From now on the events of a session are played for its streams. */
  follow(id: string, caller: Caller): void {
    const open = this.#worlds.get(id);
    if (open && !open.plays) void this.#play(open, caller);
  }

  /** The clock of a session. While its markets wait for a reader in lockstep, it stands still at theirs. */
  clockOf(state: ReplayState, now: number): number {
    const open = this.#worlds.get(state.id);
    if (open?.seeks === state.seeks && open.made?.lockstep.isWaiting) return open.made.clock;
    return clockOf(state, now);
  }

  /** Counts events that were played for an account. Returns false if it may play no more now. */
  count(events: number, caller: Caller): boolean {
    const allowed = this.#eventsOf(caller);
    return allowed.take(Math.min(events, allowed.limit), this.#options.now());
  }

  /** Runs long work in turns with the reads of other accounts. */
  inReadTurns<T>({ account }: Caller, work: () => Promise<T>): Promise<T> {
    return withStoreErrors(() => this.#options.reads.share(account.publicId, NEVER, work));
  }

  /** Closes the markets that nobody has asked about. */
  async sweep(): Promise<void> {
    const oldest = this.#options.now() - IDLE_WORLD_MS;
    for (const [id, { usedAt, users }] of [...this.#worlds]) if (users === 0 && usedAt < oldest) await this.close(id);
  }

  async stop(): Promise<void> {
    for (const id of [...this.#worlds.keys()]) await this.close(id);
  }

  /** What was being played when this was called is played, and the clock of the session is set to it. */
  async settled(id: string): Promise<void> {
    await this.#worlds.get(id)?.turn.catch(() => {});
  }

  async close(id: string): Promise<void> {
    const open = this.#worlds.get(id);
    if (!open) return;
    this.#worlds.delete(id);
    await open.turn.catch(() => {});
    await open.world.then((world) => world.close()).catch(() => {});
  }

  /** `plays`: readers in lockstep are waited for a moment. */
  async #use<T>(
    id: string,
    caller: Caller,
    work: (world: ReplayWorld, state: ReplayState) => T | Promise<T>,
    plays: boolean,
  ): Promise<T> {
    for (;;) {
      const open = this.#opened(await this.#states.read(id, caller), caller);
      const done = await this.#inTurn(open, async () => {
        // Before the state is read: the clock of a session that is paused meanwhile is not passed.
        const time = Math.floor(this.#options.now());
        // The session may have changed while this request waited for those before it.
        const state = await this.#states.read(id, caller);
        if (state.seeks !== open.seeks) return null;
        await this.inReadTurns(caller, () => this.#advance(open, { state, time }, caller, plays));
        return { value: await work(await open.world, state) };
      }).catch((error) => {
        if (error instanceof SessionMoved) return null;
        throw error;
      });
      if (done) return done.value;
    }
  }

  async #inTurn<T>(open: OpenWorld, turn: () => Promise<T>): Promise<T> {
    open.users++;
    open.interrupt();
    open.usedAt = this.#options.now();
    const done = open.turn.then(turn, turn);
    open.turn = done;
    try {
      return await withStoreErrors(() => done);
    } finally {
      open.users--;
      open.usedAt = this.#options.now();
    }
  }

  async #play(open: OpenWorld, caller: Caller): Promise<void> {
    const { sleep = Bun.sleep, now, log } = this.#options;
    open.plays = true;
    const connected = now() + CONNECT_MS;
    try {
      while (this.#worlds.get(open.id) === open && ((await open.world).isStream || now() < connected)) {
        const { lockstep } = await open.world;
        if (lockstep.isWaiting) {
          lockstep.closeSilent();
          // A reader may think for longer than unused markets are kept.
          open.usedAt = now();
          await lockstep.answered(SILENT_MS);
          continue;
        }
        const isWaiting = await this.#use(open.id, caller, isBehind, true);
        // With a fixed wait, sessions that once played back to back would stay in step, and delay live ticks together.
        await sleep(isWaiting || open.wasCut ? WAIT_MS : PLAY_MS * (0.5 + Math.random()));
      }
    } catch (error) {
      // The session has ended, or its state cannot be read.
      if (!(error instanceof ServiceError)) log.error('a replay stopped', { error });
      if (this.#worlds.get(open.id) === open) await this.close(open.id);
    } finally {
      open.plays = false;
    }
  }

  /**
   * Plays up to the clock that a session had at a time. If that takes too long, or the account has no events left, the clock is set
   * back to what was played, but never below where it was stored: others may have seen that.
   */
  async #advance(open: OpenWorld, { state, time }: StateAt, caller: Caller, plays: boolean): Promise<void> {
    const { now } = this.#options;
    const isMax = state.speed === 'max' && state.playing;
    const target = clockOf(state, time);
    const world = await open.world;
    const { lockstep } = world;
    const start = now();
    const isOver = (): boolean => now() - start >= (plays || isMax || open.users > 1 ? TURN_MS : REQUEST_MS);
    const mayGoOn = (): boolean => {
      open.wasCut = (plays || world.clock >= state.at) && isOver();
      return !open.wasCut;
    };
    // A stream is sent no more than its clients read.
    const mayPlay = (count: number): boolean => !world.isFull && mayGoOn() && this.count(count, caller);
    open.interrupt = () => lockstep.interrupt();
    const goOn: GoOn = (count) => {
      if (!lockstep.isWaiting) return mayPlay(count);
      if (!plays || open.users > 1) return false;
      return lockstep.answered(ANSWER_MS).then(() => !lockstep.isWaiting && mayPlay(count));
    };
    open.wasCut = false;
    if (!lockstep.isWaiting) await world.advance(isMax && world.isStream ? state.to : target, goOn);
    if (world.clock === target) return;
    if (world.clock < state.at) {
      // Streams wait until more may be played.
      if (plays || world.isFull || lockstep.isWaiting) return;
      throw new ServiceError(
        'rate_limited',
        'The replay is not played up to its clock: the tier allows no more events in this minute. Try again.',
        { retryAfterSeconds: RETRY_SECONDS },
      );
    }
    await this.#states.update(state.id, caller, (before) =>
      before.seeks === state.seeks
        ? clockSet(before, Math.max(before.at, world.clock), Math.max(before.since, time))
        : before,
    );
  }

  #eventsOf({ account }: Caller): RollingSum {
    const limit = account.tier.replay_events_per_minute;
    let events = this.#events.get(account.publicId);
    if (events?.limit !== limit) {
      events = new RollingSum(limit);
      this.#events.set(account.publicId, events);
    }
    return events;
  }

  #opened(state: ReplayState, caller: Caller): OpenWorld {
    const known = this.#worlds.get(state.id);
    if (known && known.seeks >= state.seeks) return known;
    if (known) void this.close(state.id);
    else this.#makeRoom(state.symbols.length);
    const world = this.inReadTurns(caller, () => ReplayWorld.open(state, this.#options));
    const open: OpenWorld = {
      id: state.id,
      plays: false,
      seeks: state.seeks,
      world,
      made: null,
      wasCut: false,
      turn: world,
      interrupt: () => {},
      usedAt: this.#options.now(),
      users: 0,
      instruments: state.symbols.length,
    };
    this.#worlds.set(state.id, open);
    world.then(
      (made) => {
        open.made = made;
      },
      // The next request tries again.
      () => this.#worlds.get(state.id) === open && this.#worlds.delete(state.id),
    );
    return open;
  }

  /** Closes the markets of sessions that were not used for longest, until others with so many instruments fit. */
  #makeRoom(instruments: number): void {
    const unused = [...this.#worlds.values()].filter(({ users }) => users === 0).sort((a, b) => b.usedAt - a.usedAt);
    let total = instruments;
    for (const open of this.#worlds.values()) total += open.instruments;
    while (total > (this.#options.maxInstruments ?? MAX_INSTRUMENTS) && this.#worlds.size > 0) {
      const oldest = unused.pop();
      if (!oldest)
        throw new ServiceError('rate_limited', 'Too many replays are in use. Try again soon.', {
          retryAfterSeconds: 2,
        });
      total -= oldest.instruments;
      void this.close(oldest.id);
    }
  }
}

/** Whether more is to be played at once than the time that passes; tells readers in lockstep when there is no more. */
function isBehind(world: ReplayWorld, { speed, to }: ReplayState): boolean {
  if (world.clock >= to) {
    world.lockstep.end(world.clock);
    return false;
  }
  return world.isFull || world.lockstep.isActive || speed === 'max';
}
