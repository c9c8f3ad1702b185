// Decides on the messages of linked chats: each is published, shown as a preview, refused with a reason, or ignored. The decision is stored
// before the platform is told that the message was read, and a publication carries the id of its message as its idempotency key:
// a message that is delivered twice, also across a crash, publishes once.
import type { ChatOutcome, SignalDraft, SignalRequest } from '@tickwire/contract';
import { MINUTE_MS, SECOND_MS, type UnclearReason } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import { sha256, sha256Hex } from '../ops/sha256.ts';
import type { SignalService } from '../signals/signal-service.ts';
import { onlyRequest } from '../signals/signal-texts.ts';
import {
  type ChatChannelRow,
  type ChatDecision,
  type ChatEditRow,
  type ChatMessageRow,
  type ChatStore,
  DELETED,
} from '../store/chat-store.ts';
import { LruMap } from '../work/lru-map.ts';
import { RateLimiter } from '../work/rate-limiter.ts';
import { type Decided, decision, type IncomingMessage, LATE, refused, refusedBy } from './chat-decision.ts';
import { firstPoints, type Levels, levelsText, previewText, publishedText } from './chat-texts.ts';
import { SignalReplies } from './signal-replies.ts';

/** By the platform's clock. The price has moved since then. */
export const LATE_MS = 30 * SECOND_MS;
export const PREVIEW_MS = 10 * MINUTE_MS;
export const MESSAGES_PER_MINUTE = 30;
const MAX_EDITS = 100;
/** Characters of an unclear part that an answer repeats. */
const MAX_QUOTED = 200;
export const PREVIEW_EXPIRED = 'The preview has expired. Send the message again.';
/** What people say in a channel besides signals. It gets no answer there. */
const TALK: readonly UnclearReason[] = ['empty', 'no_instrument', 'report'];

export interface ChatPublisherOptions {
  readonly store: ChatStore;
  readonly service: Pick<
    SignalService,
    'readText' | 'publishChat' | 'publishedWith' | 'requestClose' | 'closedByPublisher' | 'amend' | 'detail'
  >;
  readonly accountOf: (publicId: string) => AccountState | undefined;
  /** Address of a signal, or its id. */
  readonly linkOf: (id: string) => string;
  /** Called when something is to be posted. */
  readonly wake: () => void;
  readonly now: () => number;
}

export class ChatPublisher {
  /** Messages by outcome, for the metrics. */
  readonly counts = new Map<ChatOutcome | 'over_limit', number>();
  readonly #options: ChatPublisherOptions;
  readonly #replies: SignalReplies;
  readonly #perMinute = new RateLimiter({ limit: MESSAGES_PER_MINUTE });
  /** The last message that each counter counted. */
  readonly #counted = new LruMap<string, string>(20_000);
  /** Answers that a channel has sent too much. */
  readonly #notices = new RateLimiter({ limit: 1 });

  constructor(options: ChatPublisherOptions) {
    this.#options = options;
    this.#replies = new SignalReplies(options);
  }

  /** Resolves once the decision on a message is stored. A message that was decided before changes nothing. */
  async receive(channel: ChatChannelRow, message: IncomingMessage): Promise<void> {
    const { store, service, now, wake } = this.#options;
    if (await withStoreErrors(() => store.message(channel.id, message.id))) return;
    const receivedAt = Math.floor(now());
    const account = this.#accountOf(channel);
    // Published before a crash: its message counts no more, is not late, and may not be clear any more.
    const before = account && (await service.publishedWith(account, keyOf(channel, message.id)));
    const isLate = receivedAt - message.sentAt > LATE_MS;
    // Late ones are answered too, and count apart: those of an outage must not hold up the first after it.
    const counter = isLate ? `${channel.id} late` : channel.id;
    const isOver = !before && this.#isOverLimit(counter, message.id, receivedAt);
    // The first of them is answered.
    if (isOver && this.#notices.take(counter, receivedAt) > 0) return this.#count('over_limit');
    const decided = before
      ? this.#published(before)
      : isOver
        ? OVER_LIMIT
        : await this.#decide(channel, account, message, isLate);
    await withStoreErrors(() =>
      store.addMessage({
        ...{ channel: channel.id, message: message.id, platform: channel.platform },
        ...{ sentAt: message.sentAt, receivedAt, hash: sha256Hex(message.text) },
        text: channel.keepText ? message.text : null,
        answer: null,
        posted: 0,
        ...decided,
      }),
    );
    this.#count(decided.outcome);
    if (decided.posting === 'answer') wake();
  }

  /** Whether a button may still publish or discard this message, or the reason why not. */
  async openPreview(channel: ChatChannelRow, id: string): Promise<ChatMessageRow | string> {
    const { store, service, now } = this.#options;
    const row = await withStoreErrors(() => store.message(channel.id, id));
    if (!row) return 'The message is not known.';
    // A reply says nothing that the readers of a channel must not see; the detail may.
    if (row.outcome !== 'preview') return row.reply ?? row.detail;
    const account = this.#accountOf(channel);
    const before = account && (await service.publishedWith(account, keyOf(channel, id)));
    if (before) {
      await this.#settle(row, this.#published(before));
      return 'Published.';
    }
    if (now() - row.receivedAt < PREVIEW_MS) return row;
    await this.#settle(row, decision('expired', PREVIEW_EXPIRED, null));
    return PREVIEW_EXPIRED;
  }

  /** Publishes the signal of a preview as it was shown. Returns what came of it. */
  async publishPreview(channel: ChatChannelRow, row: ChatMessageRow, isPublic: boolean): Promise<string> {
    const request = JSON.parse(row.draft!) as SignalRequest;
    const decided = await this.#publish(channel, row.message, request, isPublic);
    await this.#settle(row, decided);
    return decided.outcome === 'published' ? 'Published.' : (decided.reply ?? decided.detail);
  }

  async discardPreview(row: ChatMessageRow): Promise<string> {
    const detail = 'Discarded. Nothing was published.';
    await this.#settle(row, { ...decision('discarded', detail, null), signal: null });
    return detail;
  }

  /** An edit changes nothing: it is noted at the signal. */
  async edit(channel: ChatChannelRow, message: IncomingMessage): Promise<void> {
    const { store, now } = this.#options;
    const row = await withStoreErrors(() => store.message(channel.id, message.id));
    if (!row) {
      // Its first text never arrived. Delivered later, that text must not be published.
      if (message.text === '' || now() - message.sentAt > LATE_MS) return;
      return this.#keepUnread(channel, message);
    }
    const last = await withStoreErrors(() => store.lastEdit(channel.id, message.id));
    const noted = await this.#note(channel, row, last, message.text);
    if (!noted || row.outcome !== 'refused' || last) return;
    await this.#settle(row, {
      ...row,
      reply: 'Edits change nothing: send the corrected message as a new one.',
      posting: 'answer',
    });
  }

  /** A deletion changes nothing: it is noted if the message published a signal. */
  async remove(channel: ChatChannelRow, id: string): Promise<void> {
    const { store } = this.#options;
    const row = await withStoreErrors(() => store.message(channel.id, id));
    if (row?.outcome !== 'published') return;
    const last = await withStoreErrors(() => store.lastEdit(channel.id, id));
    await this.#note(channel, row, last, null);
  }

  /** Notes a new text, or with `null` the deletion. False if it is not noted. */
  async #note(
    channel: ChatChannelRow,
    row: ChatMessageRow,
    last: ChatEditRow | undefined,
    text: string | null,
  ): Promise<boolean> {
    const { store, now } = this.#options;
    const [before, newHash] = [last?.newHash ?? row.hash, text === null ? DELETED : sha256Hex(text)];
    // Platforms also report other changes as edits, such as a link preview. Nothing follows a deletion.
    if (before === newHash || before === DELETED) return false;
    // Those of a published message are noted in any case: nobody can hide one behind many others.
    if (
      row.outcome !== 'published' &&
      this.#isOverLimit(channel.id, editKey(row.message, newHash), Math.floor(now()))
    ) {
      this.#count('over_limit');
      return false;
    }
    // The last place always has the newest text.
    const number = Math.min(MAX_EDITS, (last?.number ?? 0) + 1);
    const oldHash = last?.number === number ? last.oldHash : before;
    await withStoreErrors(() =>
      store.addEdit({
        ...{ channel: channel.id, message: row.message, number, oldHash, newHash },
        at: Math.floor(now()),
        text: channel.keepText ? text : null,
      }),
    );
    return true;
  }

  /** A message that is read again after a failure counts once. */
  #isOverLimit(counter: string, message: string, now: number): boolean {
    if (this.#counted.get(counter) === message) return false;
    if (this.#perMinute.take(counter, now) > 0) return true;
    this.#counted.set(counter, message);
    return false;
  }

  async #decide(
    channel: ChatChannelRow,
    account: AccountState | null,
    message: IncomingMessage,
    isLate: boolean,
  ): Promise<Decided> {
    const { service } = this.#options;
    if (!account) return NO_ACCOUNT;
    try {
      const reading = service.readText(message.text);
      if (reading.kind === 'update') return await this.#replies.take(channel, account, { message, reading, isLate });
      if (reading.kind === 'unclear') {
        const { reason, detail, part } = reading;
        if (message.isPublic && TALK.includes(reason)) return decision('ignored', detail, null);
        if (isLate) return LATE;
        return refused(
          detail,
          `Not published. ${detail}${part === null ? '' : `\n\n“${firstPoints(part, MAX_QUOTED)}”`}`,
        );
      }
      if (isLate) return LATE;
      const request = onlyRequest(reading.drafts);
      if (channel.mode === 'review') return preview(reading.drafts[0]!, request);
      return await this.#publish(channel, message.id, request, message.isPublic);
    } catch (error) {
      return refusedBy(error, message.isPublic);
    }
  }

  async #publish(
    channel: ChatChannelRow,
    message: string,
    request: SignalRequest,
    isPublic: boolean,
  ): Promise<Decided> {
    const account = this.#accountOf(channel);
    if (!account) return NO_ACCOUNT;
    const idempotency = { key: keyOf(channel, message), bodyHash: sha256(JSON.stringify(request)) };
    try {
      return this.#published(await this.#options.service.publishChat(account, request, idempotency));
    } catch (error) {
      return refusedBy(error, isPublic);
    }
  }

  #published({ id, ...signal }: { readonly id: string } & Levels): Decided {
    const reply = publishedText({ id }, this.#options.linkOf);
    return { ...decision('published', levelsText(signal), reply), signal: id };
  }

  async #settle(row: ChatMessageRow, decided: ChatDecision): Promise<void> {
    const { store, wake } = this.#options;
    await withStoreErrors(() => store.decide(row.channel, row.message, decided));
    if (decided.outcome !== row.outcome) this.#count(decided.outcome);
    if (decided.posting === 'answer') wake();
  }

  async #keepUnread(channel: ChatChannelRow, { id, sentAt, text }: IncomingMessage): Promise<void> {
    const { store, now, wake } = this.#options;
    if (this.#isOverLimit(channel.id, id, Math.floor(now()))) return this.#count('over_limit');
    const detail = 'The message was edited before it was read. Send it again.';
    await withStoreErrors(() =>
      store.addMessage({
        ...{ channel: channel.id, message: id, platform: channel.platform, sentAt, receivedAt: Math.floor(now()) },
        ...{ hash: sha256Hex(text), text: channel.keepText ? text : null, answer: null, posted: 0 },
        ...refused(detail, detail),
      }),
    );
    this.#count('refused');
    wake();
  }

  #accountOf({ account }: ChatChannelRow): AccountState | null {
    const state = this.#options.accountOf(account);
    return state && !state.disabled && !state.deleted ? state : null;
  }

  #count(outcome: ChatOutcome | 'over_limit'): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
  }
}

/** Of an edit: no message has this id. */
const editKey = (message: string, hash: string): string => `${message} ${hash}`;

/** A header cannot contain a line feed, so that it never equals an Idempotency-Key of the same account. */
const keyOf = ({ platform, chat }: ChatChannelRow, message: string): string => `${platform}\n${chat}\n${message}`;

const NO_ACCOUNT = decision('refused', 'The account of this chat cannot publish.', null);
const OVER = `More than ${MESSAGES_PER_MINUTE} messages came within a minute. Further ones are not read until it is over.`;
const OVER_LIMIT: Decided = refused(OVER, OVER);

const preview = (draft: SignalDraft, request: SignalRequest): Decided => ({
  ...decision('preview', levelsText(draft), previewText(draft)),
  draft: JSON.stringify(request),
});
