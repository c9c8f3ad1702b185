// Replay sessions: their endpoints, and the answers of others as of their clocks.
import {
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  iso,
  REPLAYED_CHANNELS,
  ReplaySessionChange,
  ReplaySessionRequest,
  SavePracticeRequest,
} from '@tickwire/contract';
import { SECOND_MS } from '@tickwire/engine';
import type { WebSocketHandler } from 'bun';
import type { Caller } from '../access/caller.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ApiResponse, EndpointHandler, HandlerCall, HandlerResult, Route } from '../http/handler.ts';
import { readJson } from '../http/json-body.ts';
import type { Module } from '../module/module.ts';
import type { DocumentStore } from '../store/document-store.ts';
import type { StreamedReplay } from '../streams/streamed-replay.ts';
import type { Connection, StreamKind } from '../ws/connection.ts';
import { PracticeHandlers } from './practice/practice-handlers.ts';
import type { PracticeMoment } from './practice/practice-requests.ts';
import { SavedPractices } from './practice/saved-practice.ts';
import { ReplaySessions, type ReplaySessionsOptions } from './replay-sessions.ts';
import type { PublisherNames } from './replay-signals.ts';
import type { ReplayWorld } from './replay-world.ts';

/** Endpoints of WebSocket whose channels follow the clock. */
const STREAMED: readonly StreamKind[] = ['ws', ...REPLAYED_CHANNELS];
const SWEEP_MS = 10 * SECOND_MS;

export interface ReplayModule extends Module {
  /** Answers a request of an endpoint as of the clock of a session. */
  readonly asOf: (name: EndpointName, id: string) => EndpointHandler;
  /** The handler of the connections to a channel in a session. */
  readonly stream: (
    channel: StreamKind,
    replay: StreamedReplay,
    caller: Caller,
  ) => Promise<WebSocketHandler<Connection>>;
}

export interface ReplayModuleOptions extends ReplaySessionsOptions, PublisherNames {
  /** Where records of practice signals are saved. */
  readonly savedRecords: DocumentStore;
}

export function replayModule(options: ReplayModuleOptions): ReplayModule {
  const { reads, savedRecords, alwaysOpen, nameOf, publisherOf, now } = options;
  const saved = new SavedPractices({ store: savedRecords, now });
  const sessions = new ReplaySessions(options);
  const idOf = ({ params }: HandlerCall): string => params.id!;
  const answer = (world: ReplayWorld, name: EndpointName, call: HandlerCall) => {
    const route: Route = world.routes[name]!;
    const then = { ...callParts(call), now: world.clock };
    if (typeof route === 'function') return route(then);
    if (!('cost' in route)) throw new Error(`the endpoint ${name} runs on the ingest node, not in a replay`);
    // Its cost counts now, and its times are those of the replay.
    return reads.handlerOf({ cost: () => route.cost(then), handle: () => route.handle(then) })(call);
  };
  const practice = new PracticeHandlers({ documents: sessions.practice, alwaysOpen, nameOf, publisherOf });
  /** An answer about signals: those of practice are judged up to the clock. */
  const atClock = <T>(id: string, caller: Caller, answerAt: (moment: PracticeMoment) => Promise<T>): Promise<T> =>
    sessions.worlds.use(id, caller, (world, state) => {
      const count = (events: number): boolean => sessions.worlds.count(events, caller);
      return sessions.worlds.inReadTurns(caller, () => answerAt({ world, state, caller, count }));
    });
  return {
    routes: {
      async replaySessions({ caller }) {
        const items = await sessions.list(caller!);
        return JSON.stringify({ items, count: items.length });
      },
      async createReplay({ request, caller }) {
        const { value } = await readJson(request, ReplaySessionRequest);
        return JSON.stringify(await sessions.create(value, caller!));
      },
      replaySession: async (call) => JSON.stringify(await sessions.get(idOf(call), call.caller!)),
      async changeReplay(call) {
        const { value } = await readJson(call.request, ReplaySessionChange);
        return JSON.stringify(await sessions.change(idOf(call), value, call.caller!));
      },
      practiceRecord: (call) =>
        atClock(idOf(call), call.caller!, async (moment) => JSON.stringify(await practice.record(moment))),
      async savePractice(call) {
        const { name } = (await readJson(call.request, SavePracticeRequest)).value;
        const record = await atClock(idOf(call), call.caller!, async (moment) => practice.record(moment));
        return JSON.stringify(await saved.save(name, record, call.caller!));
      },
      async savedPractice({ caller }) {
        const items = await saved.list(caller!);
        return JSON.stringify({ items, count: items.length });
      },
      deleteSavedPractice: async (call) => JSON.stringify(await saved.delete(idOf(call), call.caller!)),
      deleteReplay: async (call) => JSON.stringify(await sessions.delete(idOf(call), call.caller!)),
    },
    asOf(name, id) {
      const practised = practice.handlers[name];
      if (practised)
        return async (call) => {
          const answerAt = await practised(call);
          return atClock(id, call.caller!, async (moment) => withClock(moment.world, await answerAt(moment)));
        };
      const { replay = false, eventStream = false, path }: Endpoint = ENDPOINTS[name];
      if (!replay) throw new ServiceError('not_in_replay', `${path} cannot be answered as of the clock of a replay.`);
      return (call) =>
        sessions.worlds.use(id, call.caller!, async (world) => {
          const given = await answer(world, name, call);
          if (eventStream) sessions.worlds.follow(id, call.caller!);
          return withClock(world, given);
        });
    },
    async stream(channel, { id, lockstep }, caller) {
      if (!STREAMED.includes(channel))
        throw new ServiceError('not_in_replay', `/ws/${channel} cannot be streamed as of the clock of a replay.`);
      const handler = await sessions.worlds.use(id, caller, ({ gateway, lockstep: readers }) =>
        lockstep ? readers.handlerOf(gateway.handler) : gateway.handler,
      );
      sessions.worlds.follow(id, caller);
      return handler;
    },
    metrics: (metrics) =>
      metrics.gauge('tickwire_replays', 'Replay sessions whose markets are in memory', () => sessions.worlds.open),
    start: (timers) => timers.every(SWEEP_MS, 'closing unused replays', () => sessions.worlds.sweep()),
    stop: () => sessions.worlds.stop(),
  };
}

function withClock(world: ReplayWorld, given: HandlerResult): ApiResponse {
  const clock = { 'Replay-Clock': iso(world.clock) };
  if (typeof given === 'string') return { body: given, headers: clock };
  return { ...given, headers: { ...given.headers, ...clock } };
}

const callParts = ({ params, query, caller, request, peers }: HandlerCall): Omit<HandlerCall, 'now'> => ({
  params,
  query,
  caller,
  request,
  peers,
});
