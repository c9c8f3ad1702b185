// Replies to published messages: they move the stop to the entry, close a signal or withdraw it, under the rules of any such request.
import type { AccountState } from '../access/account-state.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { SignalService } from '../signals/signal-service.ts';
import type { SignalTextReading } from '../signals/signal-texts.ts';
import type { ChatChannelRow, ChatStore } from '../store/chat-store.ts';
import { type Decided, decision, type IncomingMessage, LATE, refused, refusedBy } from './chat-decision.ts';

const NOT_DONE = 'Nothing was changed.';

export interface SignalRepliesOptions {
  readonly store: Pick<ChatStore, 'message' | 'answeredBy' | 'publishedBy'>;
  readonly service: Pick<SignalService, 'requestClose' | 'closedByPublisher' | 'amend' | 'detail'>;
}

export interface SignalReply {
  readonly message: IncomingMessage;
  readonly reading: Extract<SignalTextReading, { kind: 'update' }>;
  readonly isLate: boolean;
}

export class SignalReplies {
  readonly #options: SignalRepliesOptions;

  constructor(options: SignalRepliesOptions) {
    this.#options = options;
  }

  async take(channel: ChatChannelRow, account: AccountState, reply: SignalReply): Promise<Decided> {
    const { message, reading } = reply;
    const { update, instruments } = reading;
    const signal = await this.#signalOf(channel, message);
    if (signal === null) return rejected('Reply to the message of the signal that you want to change.');
    if (update === 'close_half')
      return rejected('A part of a signal cannot be closed on request. Parts exit at its targets.');
    try {
      const { symbol } = await this.#options.service.detail(signal);
      if (!instruments.every((symbols) => symbols.some((each) => each === symbol)))
        return { ...rejected(`The signal is one of ${symbol}, and the reply names another instrument.`), signal };
      const decided = await (update === 'breakeven'
        ? this.#toEntry(account, signal, reply)
        : this.#close(account, signal, reply));
      return { ...decided, signal };
    } catch (error) {
      return { ...refusedBy(error, message.isPublic, NOT_DONE), signal };
    }
  }

  /** The signal of the message that was replied to: of its publisher, or of the bot. */
  async #signalOf({ id }: ChatChannelRow, { repliesTo }: IncomingMessage): Promise<string | null> {
    if (!repliesTo) return null;
    const { store } = this.#options;
    return withStoreErrors(async () => {
      const row = (await store.message(id, repliesTo.id)) ?? (await store.answeredBy(id, repliesTo.id));
      if (row) return row.signal;
      // Later messages of the bot name the signal. Anybody can write an id, so that it must be one of this channel.
      const [named] = /sig_[0-9a-f]{16}/.exec(repliesTo.text) ?? [];
      return named === undefined ? null : ((await store.publishedBy(named, id))?.signal ?? null);
    });
  }

  async #close(account: AccountState, id: string, { reading, isLate }: SignalReply): Promise<Decided> {
    const { service } = this.#options;
    // A reply that is delivered again finds what it has done.
    const before = await service.closedByPublisher(account, id);
    if (before) return before.status === 'closed' ? CLOSED : CLOSING;
    if (isLate) return LATE;
    if (reading.update === 'cancel' && (await service.detail(id)).state === 'open')
      return rejected('The signal is open and cannot be withdrawn. Reply “close” to close it.');
    await service.requestClose(account, id);
    return CLOSING;
  }

  async #toEntry(account: AccountState, id: string, { isLate }: SignalReply): Promise<Decided> {
    const { service } = this.#options;
    const { state, entry, current_stop_loss } = await service.detail(id);
    if (current_stop_loss === entry) return atEntry(entry);
    if (isLate) return LATE;
    if (state === 'pending') return rejected('The signal is not filled yet.');
    await service.amend(account, id, { stop_loss: entry });
    return atEntry(entry);
  }
}

const rejected = (detail: string): Decided => refused(detail, `${NOT_DONE} ${detail}`);

const CLOSING_TEXT = 'The next quote closes the signal.';
/** The closing is announced like any other. */
const CLOSING = decision('closed', CLOSING_TEXT, CLOSING_TEXT);
const CLOSED = decision('closed', 'Closed on request.', null);

function atEntry(entry: number): Decided {
  const detail = `The stop is at the entry, ${entry}.`;
  return decision('amended', detail, detail);
}
