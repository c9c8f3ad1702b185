// The endpoints of signals in a replay session, and the record of its practice signals. What is published is practice; what is read are
// practice signals and those of the log.
import {
  AmendRequest,
  CloseSignalRequest,
  type EndpointName,
  iso,
  type PracticeRecord,
  type PublisherDetail,
  type SignalDetail,
  type SignalDetailQuery,
  SignalFigures,
  type SignalQuery,
  SignalRequest,
} from '@tickwire/contract';
import { sharedLog, TrackRecord } from '@tickwire/engine';
import type { Caller } from '../../access/caller.ts';
import { ServiceError, symbolNotFound } from '../../errors/service-error.ts';
import type { ApiResponse, HandlerCall, HandlerResult } from '../../http/handler.ts';
import { idempotencyKey } from '../../http/idempotency-cache.ts';
import { readJson, readOptionalJson } from '../../http/json-body.ts';
import { sha256 } from '../../ops/sha256.ts';
import { signalList } from '../../signals/signal-handlers.ts';
import { readDetail } from '../../signals/signal-history.ts';
import { notFound } from '../../signals/signal-requests.ts';
import { toFigures } from '../../signals/track-record-list.ts';
import { TrackRecords } from '../../signals/track-records.ts';
import { isOfPractice, type PublisherNames, ReplaySignals } from '../replay-signals.ts';
import type { ReplayState } from '../replay-state.ts';
import { isPracticeId, PRACTICE_PUBLISHER } from './practice-actions.ts';
import type { PracticeDocuments } from './practice-documents.ts';
import type { PracticeLog } from './practice-log.ts';
import { hashed, type PracticeMoment, PracticeRequests, type PracticeRequestsOptions } from './practice-requests.ts';

/** Reads a request, before the session waits for it; then answers at its clock. */
type PracticeHandler = (call: HandlerCall) => Promise<(moment: PracticeMoment) => Promise<HandlerResult>>;

/** All recorded prices count. */
const isTrusted = (): boolean => true;
/** Percent at risk in the results by month, which are not shown. */
const RISK = 1;
const PRACTICE = { Practice: 'true' };
const NO_RESULTS = {
  decisions: 0,
  e_value: 1,
  open_r: 0,
  worst_open_r: null,
  drawdown_r: 0,
  exposure: [],
  warnings: [],
  equity: [],
  instruments: [],
};

export class PracticeHandlers {
  /** The endpoints of signals, as of the clock of a session. */
  readonly handlers: Readonly<Partial<Record<EndpointName, PracticeHandler>>>;
  readonly #documents: PracticeDocuments;

  constructor({ nameOf, publisherOf, ...options }: PracticeRequestsOptions & PublisherNames) {
    const requests = new PracticeRequests(options);
    this.#documents = options.documents;
    this.handlers = {
      async publishSignal({ request }) {
        const key = idempotencyKey(request);
        const { value, bytes } = await readJson(request, SignalRequest);
        const idempotency = key === null ? null : hashed({ key, bodyHash: sha256(bytes) });
        return async (moment) => marked(JSON.stringify(await requests.publish(moment, value, idempotency)), 201);
      },
      async closeSignal({ request, params }) {
        await readOptionalJson(request, CloseSignalRequest);
        return async (moment) => marked(JSON.stringify(await requests.close(moment, params.id!)), 202);
      },
      amendSignal: async ({ request, params }) => {
        const { value } = await readJson(request, AmendRequest);
        return async (moment) => {
          await requests.amend(moment, params.id!, value);
          return this.#detail(moment, params.id!);
        };
      },
      signals: async ({ query }) => {
        const { symbol, user } = query as SignalQuery;
        return async (moment) => {
          const { world, caller } = moment;
          const spec = symbol === undefined ? undefined : world.spec(symbol);
          if (symbol !== undefined && !spec) throw symbolNotFound(symbol, world.market.similar(symbol));
          const practice = await this.log(moment);
          const { account } = caller;
          const signals = new ReplaySignals({ practice, log: world.signals, account, nameOf, publisherOf });
          const given = await signalList(signals, { ...(query as SignalQuery), ...(spec && { symbol: spec.symbol }) });
          if (!isOfPractice(user)) return given;
          return typeof given === 'string' ? marked(given) : { ...given, headers: { ...given.headers, ...PRACTICE } };
        };
      },
      signal: async ({ query, params }) => {
        if ((query as SignalDetailQuery).windows)
          throw new ServiceError('not_in_replay', 'The windows of a signal cannot be read in a replay.');
        const id = params.id!;
        if (isPracticeId(id)) return (moment) => this.#detail(moment, id);
        return async ({ world }) => detailOf(await readDetail(world.signals, id, nameOf), id);
      },
    };
  }

  /** The log of the practice signals at the clock. */
  async log({ world, state, caller, count }: PracticeMoment): Promise<PracticeLog> {
    const { actions } = await this.#documents.read(state, caller);
    return (await world.practice.asOf(actions, world.clock, count)).log;
  }

  async record(moment: PracticeMoment): Promise<PracticeRecord> {
    const { world, state, caller } = moment;
    const log = await this.log(moment);
    const records = new TrackRecords({ store: log, nameOf: ownName(caller), isTrusted });
    await records.restore();
    const clock = { market: world.market, now: world.clock };
    return practiceRecord(state, world.clock, await records.detail(PRACTICE_PUBLISHER, RISK, clock));
  }

  async #detail(moment: PracticeMoment, id: string): Promise<ApiResponse> {
    return marked(detailOf(await readDetail(await this.log(moment), id, ownName(moment.caller)), id));
  }
}

function practiceRecord(
  { id, symbols, from, to }: ReplayState,
  clock: number,
  detail: PublisherDetail | undefined,
): PracticeRecord {
  const session = { session: id, symbols: [...symbols], from: iso(from), to: iso(to), clock: iso(clock) };
  if (!detail)
    return {
      ...session,
      ...NO_RESULTS,
      figures: toFigures(new TrackRecord(sharedLog(isTrusted, true)).summary()),
      equity_now: { at: iso(clock), total_r: 0, open: 0 },
    };
  const { decisions, e_value, open_r, worst_open_r, drawdown_r, exposure, warnings } = detail;
  const { equity, equity_now, instruments } = detail;
  return {
    ...session,
    decisions,
    e_value,
    open_r,
    worst_open_r,
    drawdown_r,
    exposure,
    warnings,
    figures: SignalFigures.parse(detail),
    equity,
    equity_now,
    instruments,
  };
}

const marked = (body: string, status = 200): ApiResponse => ({ body, status, headers: PRACTICE });

function detailOf(detail: SignalDetail | undefined, id: string): string {
  if (!detail) throw notFound(id);
  return JSON.stringify(detail);
}

/** All practice signals are those of the caller. */
const ownName =
  ({ account }: Caller) =>
  (): string =>
    account.name;
