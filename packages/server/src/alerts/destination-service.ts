// Destinations of accounts: where messages may be delivered. A webhook is active at once; every other destination must prove
// that its owner wants the messages, with a code that it received. Codes are stored as hashes.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { CreatedDestination, DeliverTo, Destination, DestinationRequest } from '@tickwire/contract';
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import type { TelegramChat } from '../delivery/channel.ts';
import type { DestinationBox } from '../delivery/destination-box.ts';
import type { Delivery } from '../delivery/open-delivery.ts';
import { ServiceError } from '../errors/service-error.ts';
import { sha256Hex } from '../ops/sha256.ts';
import type { DeliveryStore, DestinationRow } from '../store/delivery-store.ts';
import { type CodeLimits, newCode } from './code-limits.ts';
import { addressOf, destinationHash, SETTINGS_OF, shownAddress } from './destination-address.ts';
import { destinationJson, type IdOf, newId } from './destination-json.ts';
import type { ResolvedDestinations } from './resolved-destinations.ts';
import { codeMessage } from './service-messages.ts';

export const MAX_DESTINATIONS = 50;
const CODE_MS = 15 * MINUTE_MS;
/** An address whose reader unsubscribed from a code, without having verified it, gets no codes of any account for so long. */
const SUPPRESSED_MS = 90 * DAY_MS;
const MAX_WRONG_CODES = 5;
const NO_CODE = 'The code has expired, or too many wrong ones were sent.';

export interface DestinationServiceOptions {
  readonly store: DeliveryStore;
  readonly box: DestinationBox;
  readonly channels: Pick<Delivery, 'channels' | 'http' | 'keyMissing'>;
  readonly codes: CodeLimits;
  /** Address that ends the messages to a destination; undefined without a known address of the service. */
  readonly unsubscribeUrl: (destination: string) => string | undefined;
  /** Address that opens the chat with the Telegram bot; `null` if it is not known. */
  readonly linkFor: (code: string) => string | null;
  /** Called when a destination is deleted: nothing in memory may name it any more. */
  readonly onDeleted: (account: string, id: string) => void;
  /** Wakes the delivery worker. */
  readonly wake: () => void;
  readonly now: () => number;
}

interface MadeDestination {
  readonly row: DestinationRow;
  /** As it was; `null` for a new one. */
  readonly before: DestinationRow | null;
  readonly secret: string | null;
  readonly code: string | null;
}

export class DestinationService {
  readonly #options: DestinationServiceOptions;
  /** The last request of each account that has one under way. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(options: DestinationServiceOptions) {
    this.#options = options;
  }

  rows(account: string): Promise<DestinationRow[]> {
    return this.#options.store.destinations(account);
  }

  async list(account: string): Promise<Destination[]> {
    const states = await this.#options.store.destinationStates(account);
    return (await this.rows(account)).map((row) => destinationJson(row, states.get(row.id)));
  }

  /** The destination of an account; throws a 404 for any other. */
  async row(account: string, id: string): Promise<DestinationRow> {
    const row = await this.#options.store.destination(id);
    if (row?.account === account) return row;
    throw new ServiceError('destination_not_found', 'The account has no destination with this id.');
  }

  async json(row: DestinationRow): Promise<Destination> {
    return destinationJson(row, (await this.#options.store.destinationStates(row.account)).get(row.id));
  }

  /** Creates a destination. One that the account has already is returned, with a new code or secret unless it is active. */
  async create(account: string, request: DestinationRequest, idOf: IdOf = newId): Promise<CreatedDestination> {
    await this.#check(request);
    return this.#alone(account, async () => {
      const rows = await this.rows(account);
      const existing = sameAddress(rows, request);
      const id = idOf('dst');
      if (existing?.state === 'active') return this.#repeated(existing, existing.id === id);
      const made = this.#make({ account, id }, request, existing, rows.length);
      await this.#write([made]);
      return this.#created(made);
    });
  }

  /**
   * The destinations of `deliver`, in order and each once. Creates those that the account does not have yet and renews those
   * that unsubscribed or whose code has expired: all of them or, if one is not possible, none.
   */
  async resolve(account: string, deliver: readonly DeliverTo[], idOf: IdOf = newId): Promise<ResolvedDestinations> {
    if (deliver.length === 0) return { ids: [], created: [], undo: async () => {} };
    for (const entry of deliver) if ('channel' in entry && entry.channel !== 'in_app') await this.#check(entry);
    return this.#alone(account, async () => {
      const rows = await this.rows(account);
      const ids = new Set<string>();
      const made: MadeDestination[] = [];
      const created: CreatedDestination[] = [];
      for (const [index, entry] of deliver.entries()) {
        if ('destination' in entry) ids.add((await this.row(account, entry.destination)).id);
        else if (entry.channel !== 'in_app') {
          const existing = sameAddress([...made.map(({ row }) => row), ...rows], entry);
          const id = idOf('dst', index);
          if (existing && !this.#isOver(existing)) {
            ids.add(existing.id);
            if (existing.id === id) created.push(await this.#repeated(existing, true));
          } else {
            const one = this.#make({ account, id }, entry, existing, rows.length + made.length);
            made.push(one);
            ids.add(one.row.id);
          }
        }
      }
      await this.#write(made);
      for (const each of made) created.push(await this.#created(each));
      return { ids: [...ids], created, undo: () => this.#alone(account, () => this.#undo(made)) };
    });
  }

  verify(account: string, id: string, code: string): Promise<Destination> {
    return this.#alone(account, () => this.#verify(account, id, code));
  }

  /** Links a Telegram chat to the destination that has the code. False if there is none. */
  async link(code: string, chat: TelegramChat): Promise<boolean> {
    const { store, box, now } = this.#options;
    const codeHash = sha256Hex(code);
    const row = await store.destinationWithCode(codeHash);
    if (row?.channel !== 'telegram' || now() >= (row.codeExpiresAt ?? 0)) return false;
    const sealed = box.seal(row.id, chat);
    if (!(await store.verifyDestination(row.id, { codeHash, address: chat.title, sealed }))) return false;
    this.#options.wake();
    return true;
  }

  delete(account: string, id: string): Promise<Destination> {
    return this.#alone(account, async () => {
      const { store, now } = this.#options;
      const row = await this.row(account, id);
      const json = await this.json(row);
      // The wish of the reader outlives the destination.
      if (row.state === 'unsubscribed' && row.codeHash !== null)
        await store.suppress(row.addressHash, Math.floor(now()));
      await store.deleteDestination(id);
      this.#options.onDeleted(account, id);
      return json;
    });
  }

  async #verify(account: string, id: string, code: string): Promise<Destination> {
    const { store, now } = this.#options;
    const row = await this.row(account, id);
    if (row.state === 'active') return this.json(row);
    const { codeHash, codeExpiresAt, wrongCodes } = row;
    const isOpen = codeHash !== null && now() < (codeExpiresAt ?? 0) && wrongCodes < MAX_WRONG_CODES;
    // A chat is linked by its own message to the bot.
    if (!isOpen || row.channel === 'telegram') throw wrongCode(NO_CODE);
    if (!timingSafeEqual(Buffer.from(sha256Hex(code.trim())), Buffer.from(codeHash))) {
      await store.countWrongCode(id, codeHash);
      throw wrongCode('The code is not that of the destination.');
    }
    const { address, sealed } = row;
    if (!(await store.verifyDestination(id, { codeHash, address, sealed }))) throw wrongCode(NO_CODE);
    this.#options.wake();
    return this.json({ ...row, state: 'active' });
  }

  /** `isOwn`: an earlier attempt of the same request made it, and its response was lost: it has the secret again. */
  async #repeated(row: DestinationRow, isOwn: boolean): Promise<CreatedDestination> {
    const { box, now } = this.#options;
    const isShown = isOwn && row.channel === 'webhook' && now() - row.createdAt < DAY_MS;
    const opened = isShown ? (box.open(row) as { secret: string }) : null;
    return { ...(await this.json(row)), secret: opened?.secret ?? null, link: null };
  }

  /** A destination as it will be stored. A webhook that unsubscribed is active again, with a new secret. */
  #make(
    { account, id: newId }: { readonly account: string; readonly id: string },
    request: DestinationRequest,
    existing: DestinationRow | undefined,
    count: number,
  ): MadeDestination {
    if (!existing && count >= MAX_DESTINATIONS)
      throw new ServiceError('too_many_destinations', `An account may have ${MAX_DESTINATIONS} destinations.`);
    const { box, now } = this.#options;
    const id = existing?.id ?? newId;
    const isHook = request.channel === 'webhook';
    const secret = isHook ? `whsec_${randomBytes(32).toString('base64')}` : null;
    const code = isHook ? null : newCode(request.channel);
    const row: DestinationRow = {
      id,
      account,
      channel: request.channel,
      name: request.name ?? existing?.name ?? null,
      address: shownAddress(request),
      addressHash: existing?.addressHash ?? destinationHash(request, id),
      sealed: box.seal(id, addressOf(request, secret)),
      state: isHook ? 'active' : 'unverified',
      ...this.#codeFields(code),
      createdAt: existing?.createdAt ?? Math.floor(now()),
    };
    return { row, before: existing ?? null, secret, code };
  }

  async #write(made: readonly MadeDestination[]): Promise<void> {
    if (made.length === 0) return;
    const { store, box, codes, unsubscribeUrl, wake, now } = this.#options;
    const withCode = made.filter(({ code }) => code !== null);
    for (const { row } of withCode)
      if (row.channel === 'email' && (await store.isSuppressed(row.addressHash, Math.floor(now()) - SUPPRESSED_MS)))
        throw new ServiceError('too_many_destinations', 'The reader of this address does not want codes.');
    if (withCode.length > 0)
      codes.take(
        made[0]!.row.account,
        withCode.map(({ row }) => row.addressHash),
      );
    const messages = withCode
      .filter(({ row }) => row.channel !== 'telegram')
      .map(({ row, code }) => {
        const unsubscribe = row.channel === 'email' ? unsubscribeUrl(row.id) : undefined;
        return codeMessage(row, { code: code!, box, unsubscribe }, Math.floor(now()));
      });
    await store.writeDestinations(
      made.map(({ row }) => row),
      messages,
    );
    if (messages.length > 0) wake();
  }

  /** The request for which they were made failed, so that nobody learned their secrets. */
  async #undo(made: readonly MadeDestination[]): Promise<void> {
    const { store, onDeleted } = this.#options;
    for (const { row, before } of made)
      if (before) await store.putDestination(before);
      else {
        await store.deleteDestination(row.id);
        onDeleted(row.account, row.id);
      }
  }

  /** Whether a destination gets no messages and has no code that could verify it. */
  #isOver({ state, codeExpiresAt }: DestinationRow): boolean {
    return state === 'unsubscribed' || (state === 'unverified' && this.#options.now() >= (codeExpiresAt ?? 0));
  }

  async #created({ row, secret, code }: MadeDestination): Promise<CreatedDestination> {
    const link = code !== null && row.channel === 'telegram' ? { code, url: this.#options.linkFor(code) } : null;
    return { ...(await this.json(row)), secret, link };
  }

  /** Requests of one account run one after another: they could exceed a limit together, and guesses could outrun their count. */
  #alone<T>(account: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(account) ?? Promise.resolve()).then(work);
    const ended = turn.then(
      () => {},
      () => {},
    );
    this.#turns.set(account, ended);
    void ended.then(() => {
      if (this.#turns.get(account) === ended) this.#turns.delete(account);
    });
    return turn;
  }

  #codeFields(code: string | null): Pick<DestinationRow, 'codeHash' | 'codeExpiresAt' | 'wrongCodes'> {
    if (code === null) return { codeHash: null, codeExpiresAt: null, wrongCodes: 0 };
    return { codeHash: sha256Hex(code), codeExpiresAt: Math.floor(this.#options.now()) + CODE_MS, wrongCodes: 0 };
  }

  /** Throws if the channel is not configured or the address is not acceptable. */
  async #check(request: DestinationRequest): Promise<void> {
    const { channels, http, keyMissing } = this.#options.channels;
    if (keyMissing)
      throw new ServiceError(
        'channel_not_configured',
        'Destinations in a cluster need a key that all nodes share: the operator sets TICKWIRE_DELIVERY_KEY on each of them.',
      );
    if (!channels.has(request.channel))
      throw new ServiceError(
        'channel_not_configured',
        `The operator has not configured ${request.channel}: it needs ${SETTINGS_OF[request.channel]}.`,
      );
    const url = 'url' in request ? request.url : 'subscription' in request ? request.subscription.endpoint : null;
    const refusal = url === null ? null : await http.refusalOf(url);
    if (refusal !== null) throw new ServiceError('private_address', `The address is not accepted: ${refusal}.`);
  }
}

const sameAddress = (rows: readonly DestinationRow[], request: DestinationRequest): DestinationRow | undefined =>
  rows.find(({ addressHash }) => addressHash === destinationHash(request, ''));

const wrongCode = (detail: string): ServiceError => new ServiceError('wrong_destination_code', detail);
