// Requests about alerts: create, change, delete, pause, resume and test. An alert is stored before the response is sent; it is
// judged from the request on, and what it fires until it is stored waits.
import {
  type Alert,
  type AlertChange,
  type AlertCondition,
  type AlertRequest,
  type AlertState,
  type CreatedAlert,
  type CreatedDestination,
  conditionsOf,
} from '@tickwire/contract';
import { checkCondition, DAY_MS, type InstrumentSpec, type MarketSymbol, type PerInstrument } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import { ServiceError, symbolNotFound } from '../errors/service-error.ts';
import type { AlertRow } from '../store/alert-store.ts';
import { AlertChanges, type AlertChangesOptions } from './alert-changes.ts';
import { type AlertContext, alertJson, stateOf } from './alert-json.ts';
import { conditionOf, intervalOf, isJudgedChange, overSince } from './alert-parts.ts';
import { type IdOf, newId } from './destination-json.ts';
import { orUndo, type ResolvedDestinations } from './resolved-destinations.ts';
import { TestMessages, type TestMessagesOptions } from './test-messages.ts';

export interface AlertServiceOptions extends AlertChangesOptions, TestMessagesOptions {
  /** Active alerts and subscriptions of an account. */
  readonly activeOf: (account: string) => number;
  readonly specs: PerInstrument<InstrumentSpec>;
  readonly resolve: (code: string) => MarketSymbol | undefined;
  readonly hasTrades: (symbol: MarketSymbol) => boolean;
  /** Whether a publisher with this name or id exists. */
  readonly hasPublisher: (nameOrId: string) => boolean;
}

/** Alerts that an account may have for each that may be active. */
const LISTED_PER_ACTIVE = 5;

export class AlertService {
  readonly #options: AlertServiceOptions;
  readonly #changes: AlertChanges;
  /** Alerts and subscriptions that are being created, by account. */
  readonly #reserved = new Map<string, number>();
  readonly #tests: TestMessages;

  constructor(options: AlertServiceOptions) {
    this.#options = options;
    this.#changes = new AlertChanges(options);
    this.#tests = new TestMessages(options);
  }

  async list(account: string, symbol?: MarketSymbol, state?: AlertState): Promise<Alert[]> {
    const now = this.#options.now();
    const rows = this.#options.judge.rows
      .of(account)
      .filter((row) => (symbol === undefined || row.symbol === symbol) && (!state || stateOf(row, now) === state));
    const context = await this.#context(account);
    return rows.map((row) => alertJson(row, context));
  }

  async get(account: string, id: string): Promise<Alert> {
    return this.#json(this.#row(account, id));
  }

  /** `idOf`: ids by the request, if it may be repeated. */
  async create(account: AccountState, request: AlertRequest, idOf: IdOf = newId): Promise<CreatedAlert> {
    const { destinations, judge } = this.#options;
    const id = this.idFor(idOf, 'alr', (each) => judge.rows.get(each));
    const symbol = this.symbolOf(request.symbol);
    this.#check(request.condition, symbol);
    const repeated = judge.rows.get(id);
    if (!repeated) {
      this.requireRoom(account);
      this.#requireList(account);
    }
    const expiresAt = this.#expiryOf(request.expires_at);
    const { ids, created, undo } = await destinations.resolve(account.publicId, request.deliver, idOf);
    if (repeated) return this.#created(repeated, created);
    const row: AlertRow = {
      id,
      account: account.publicId,
      symbol,
      condition: JSON.stringify(request.condition),
      repeat: request.repeat,
      interval: intervalOf(request.repeat, request.interval ?? null, request.condition),
      cooldownMs: request.cooldown_seconds * 1_000,
      expiresAt,
      note: request.note ?? null,
      deliver: ids,
      createdAt: Math.floor(this.#options.now()),
      ...{ sinceSeq: 0, sinceTime: 0, paused: false, done: false, fired: 0, lastFiredAt: null, state: null },
    };
    return orUndo(undo, async () => {
      await this.#changes.apply(
        row.id,
        () => ({ symbol, condition: request.condition }),
        () => {
          // Requests that arrived together must not exceed the limit together.
          this.requireRoom(account);
          this.#requireList(account);
          return row;
        },
      );
      return this.#created(row, created);
    });
  }

  async change(account: AccountState, id: string, change: AlertChange): Promise<CreatedAlert> {
    const { destinations } = this.#options;
    const before = this.#row(account.publicId, id);
    if (change.condition) this.#check(change.condition, before.symbol);
    if (typeof change.expires_at === 'string') this.#expiryOf(change.expires_at);
    const wasOver = this.#isOver(before);
    if (wasOver && isJudgedChange(change)) this.requireRoom(account);
    const deliver = change.deliver && (await destinations.resolve(account.publicId, change.deliver));
    const work = async (): Promise<CreatedAlert> => {
      await this.#change(account, id, change, wasOver, deliver);
      return this.#created(this.#row(account.publicId, id), deliver?.created ?? []);
    };
    return deliver ? orUndo(deliver.undo, work) : work();
  }

  #change(
    account: AccountState,
    id: string,
    change: AlertChange,
    wasOver: boolean,
    resolved: ResolvedDestinations | undefined,
  ): Promise<void> {
    const described = {
      ...(change.note !== undefined && { note: change.note }),
      ...(resolved && { deliver: resolved.ids }),
    };
    if (!isJudgedChange(change)) return this.#changes.describe(id, described);
    return this.#changes.apply(id, this.#judged(account.publicId, id, change.condition), (current) => {
      const row = current ?? this.#row(account.publicId, id);
      const { now } = this.#options;
      // One that fires during the request stays as it is, unless it gets a new condition.
      const isOver = this.#isOver(row);
      const startsAnew = change.condition !== undefined || (wasOver && isOver);
      if (startsAnew && isOver) this.requireRoom(account);
      const condition = change.condition ?? conditionOf(row);
      const repeat = change.repeat ?? row.repeat;
      const interval = change.interval === undefined ? row.interval : change.interval;
      // An alert whose time is over gets a new end, or none.
      const kept = startsAnew && row.expiresAt !== null && row.expiresAt <= now() ? null : row.expiresAt;
      return {
        ...row,
        ...described,
        condition: JSON.stringify(condition),
        repeat,
        interval: intervalOf(repeat, interval, condition),
        cooldownMs: change.cooldown_seconds === undefined ? row.cooldownMs : change.cooldown_seconds * 1_000,
        expiresAt: change.expires_at === undefined ? kept : this.#expiryOf(change.expires_at),
        ...(startsAnew && { done: false, state: null }),
      };
    });
  }

  async pause(account: string, id: string): Promise<Alert> {
    await this.#changes.apply(id, this.#judged(account, id), (row) =>
      !row || row.paused || row.done ? null : { ...row, paused: true, state: null },
    );
    return this.get(account, id);
  }

  async resume(account: AccountState, id: string): Promise<Alert> {
    await this.#changes.apply(id, this.#judged(account.publicId, id), (row) => {
      if (!row?.paused) return null;
      this.requireRoom(account);
      return { ...row, paused: false, state: null };
    });
    return this.get(account.publicId, id);
  }

  async delete(account: string, id: string): Promise<Alert> {
    const json = await this.#json(this.#row(account, id));
    await this.#changes.delete(id);
    return json;
  }

  /** Deletes alerts that were over at this time. */
  async prune(before: number): Promise<void> {
    for (const row of this.#options.judge.rows.all())
      if (row.done && overSince(row) < before) await this.#changes.delete(row.id);
  }

  async test(account: string, id: string): Promise<readonly string[]> {
    return this.#tests.ofAlert(this.#row(account, id));
  }

  testDestination(account: string, id: string): Promise<readonly string[]> {
    return this.#tests.ofDestination(account, id);
  }

  symbolOf(code: string | undefined): MarketSymbol | null {
    if (code === undefined) return null;
    const symbol = this.#options.resolve(code);
    if (symbol) return symbol;
    throw symbolNotFound(code);
  }

  requireRoom({ publicId, tier, tierName }: AccountState): void {
    if (this.#options.activeOf(publicId) + (this.#reserved.get(publicId) ?? 0) < tier.alerts) return;
    throw new ServiceError(
      'too_many_alerts',
      `The ${tierName} tier allows ${tier.alerts} active alerts and subscriptions. Delete one first.`,
    );
  }

  /** The id that a request gives, unless what has it is older than the memory of requests: then the key is used again. */
  idFor(idOf: IdOf, prefix: 'alr' | 'sub', known: (id: string) => { createdAt: number } | undefined): string {
    const id = idOf(prefix);
    return this.#options.now() - (known(id)?.createdAt ?? this.#options.now()) < DAY_MS ? id : newId(prefix);
  }

  /** Requires room and keeps it until the returned function is called. */
  reserveRoom(account: AccountState): () => void {
    this.requireRoom(account);
    const change = (by: 1 | -1): void => {
      this.#reserved.set(account.publicId, (this.#reserved.get(account.publicId) ?? 0) + by);
    };
    change(1);
    return () => change(-1);
  }

  requirePublisher(nameOrId: string): void {
    if (this.#options.hasPublisher(nameOrId)) return;
    throw new ServiceError('publisher_not_found', `There is no publisher ${JSON.stringify(nameOrId.slice(0, 64))}.`);
  }

  /** Also alerts that are not active are limited. */
  #requireList({ publicId, tier, tierName }: AccountState): void {
    const most = LISTED_PER_ACTIVE * tier.alerts;
    if (this.#options.judge.rows.of(publicId).length < most) return;
    throw new ServiceError(
      'too_many_alerts',
      `The ${tierName} tier allows ${most} alerts, those that are paused or over included. Delete one first.`,
    );
  }

  async #context(account: string): Promise<AlertContext> {
    const { destinations, now, specs } = this.#options;
    return {
      destinations: new Map((await destinations.rows(account)).map((row) => [row.id, row])),
      now: now(),
      isConfigured: (symbol) => specs.has(symbol),
    };
  }

  async #json(row: AlertRow): Promise<Alert> {
    return alertJson(row, await this.#context(row.account));
  }

  async #created({ account, id }: AlertRow, created: readonly CreatedDestination[]): Promise<CreatedAlert> {
    return { ...(await this.get(account, id)), created_destinations: [...created] };
  }

  #row(account: string, id: string): AlertRow {
    const row = this.#options.judge.rows.get(id);
    if (row?.account === account) return row;
    throw new ServiceError('alert_not_found', 'The account has no alert with this id.');
  }

  /** What an alert of the account is about, with its new condition. Throws a 404 for any other alert. */
  #judged(account: string, id: string, condition?: AlertCondition) {
    const read = () => {
      const row = this.#row(account, id);
      return { symbol: row.symbol, condition: condition ?? conditionOf(row) };
    };
    read();
    return read;
  }

  #isOver(row: AlertRow): boolean {
    const state = stateOf(row, this.#options.now());
    return state === 'done' || state === 'expired';
  }

  #check(condition: AlertCondition, symbol: MarketSymbol | null): void {
    const { specs, hasTrades } = this.#options;
    const spec = symbol === null ? null : specs.get(symbol)!;
    const fault = checkCondition(condition, spec, symbol !== null && hasTrades(symbol));
    if (fault !== null) throw new ServiceError('invalid_condition', fault);
    for (const each of conditionsOf(condition))
      if (each.type === 'signal' && each.publisher !== undefined) this.requirePublisher(each.publisher);
  }

  #expiryOf(given: string | null): number | null {
    if (given === null) return null;
    const time = Date.parse(given);
    if (time > this.#options.now()) return time;
    throw new ServiceError('expiry_out_of_range', 'expires_at must be in the future.');
  }
}
