// Tabs of a browser share connections once the limit of streams is reached: a tab that gets none asks the others, and one that has a
// connection takes part in the stream for it and passes on what arrives. Each tab holds a lock, so that others notice when it is gone.
import type { StreamHandlers, StreamKind, StreamOptions } from '@tickwire/client';

/** How long a tab waits for offers of the others. */
const OFFER_MS = 1_000;

type Handlers = StreamHandlers<StreamKind>;
interface Closable {
  close(): void;
}

/** Between tabs. `id`: of a stream, chosen by the tab that asks. */
type Message =
  | { readonly type: 'ask'; readonly id: string }
  | { readonly type: 'leave'; readonly id: string }
  | { readonly type: 'offer'; readonly id: string; readonly from: string }
  | { readonly type: 'take'; readonly id: string; readonly from: string; readonly to: string; readonly stream: Wanted }
  | { readonly type: 'event'; readonly id: string; readonly handler: keyof Handlers; readonly values: unknown[] };

interface Wanted {
  readonly kind: StreamKind;
  readonly options: StreamOptions<StreamKind>;
}

export interface TabRelayOptions {
  /** Tabs of other accounts do not hear each other. */
  readonly account: string;
  /** Opens a stream for another tab. */
  readonly lend: (wanted: Wanted, handlers: Handlers) => Closable;
  /** Whether this tab has a connection. */
  readonly canLend: () => boolean;
  /** Of the session. */
  readonly signal: AbortSignal;
  readonly locks?: Pick<LockManager, 'request'>;
}

export class TabRelay {
  readonly #options: TabRelayOptions;
  readonly #locks: Pick<LockManager, 'request'>;
  readonly #tab = crypto.randomUUID();
  readonly #channel: BroadcastChannel;
  /** Streams that this tab has opened for others, by their ids; ended by their controllers. */
  readonly #lent = new Map<string, AbortController>();
  readonly #borrowed = new Map<string, { readonly handlers: Handlers; readonly onOffer: (tab: string) => void }>();

  constructor(options: TabRelayOptions) {
    const { account, signal, locks = navigator.locks } = options;
    this.#options = options;
    this.#locks = locks;
    this.#channel = new BroadcastChannel(`tickwire.streams.${account}`);
    this.#channel.onmessage = ({ data }) => this.#receive(data as Message);
    const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    void ended.then(() => {
      for (const loan of this.#lent.values()) loan.abort();
      this.#channel.close();
    });
    void locks.request(lockOf(this.#tab), () => ended);
  }

  /** Takes part in a stream of another tab; `null` if none has a connection. `onGone`: that tab is gone. */
  async borrow(stream: Wanted, handlers: Handlers, onGone: () => void): Promise<Closable | null> {
    const id = crypto.randomUUID();
    const lender = await new Promise<string | null>((resolve) => {
      setTimeout(() => resolve(null), OFFER_MS);
      this.#borrowed.set(id, { handlers, onOffer: resolve });
      this.#send({ type: 'ask', id });
    });
    if (lender === null) {
      this.#borrowed.delete(id);
      return null;
    }
    this.#send({ type: 'take', id, from: this.#tab, to: lender, stream });
    const returned = new AbortController();
    this.#whenGone(lender, returned.signal, () => {
      if (this.#borrowed.delete(id)) onGone();
    });
    return {
      close: () => {
        returned.abort();
        if (this.#borrowed.delete(id)) this.#send({ type: 'leave', id });
      },
    };
  }

  #receive(message: Message): void {
    const { id } = message;
    if (message.type === 'ask') {
      if (this.#options.canLend()) this.#send({ type: 'offer', id, from: this.#tab });
    } else if (message.type === 'offer') this.#borrowed.get(id)?.onOffer(message.from);
    else if (message.type === 'take') {
      if (message.to === this.#tab) this.#lend(id, message.from, message.stream);
    } else if (message.type === 'leave') this.#lent.get(id)?.abort();
    else {
      const handler = this.#borrowed.get(id)?.handlers[message.handler] as ((...values: unknown[]) => void) | undefined;
      handler?.(...message.values);
    }
  }

  #lend(id: string, borrower: string, wanted: Wanted): void {
    const { lend, signal } = this.#options;
    const pass =
      (handler: keyof Handlers) =>
      (...values: unknown[]): void => {
        if (!signal.aborted) this.#send({ type: 'event', id, handler, values });
      };
    const handlers = {
      onMessage: pass('onMessage'),
      onGap: pass('onGap'),
      onRejected: pass('onRejected'),
      onNotice: pass('onNotice'),
      onState: pass('onState'),
    };
    const stream = lend(wanted, handlers);
    const loan = new AbortController();
    loan.signal.addEventListener('abort', () => {
      this.#lent.delete(id);
      stream.close();
    });
    this.#lent.set(id, loan);
    this.#whenGone(borrower, loan.signal, () => loan.abort());
  }

  /** The lock of a tab is free only when it is gone. */
  #whenGone(tab: string, signal: AbortSignal, run: () => void): void {
    this.#locks.request(lockOf(tab), { signal, mode: 'shared' }, () => run()).catch(() => undefined);
  }

  #send(message: Message): void {
    if (!this.#options.signal.aborted) this.#channel.postMessage(message);
  }
}

const lockOf = (tab: string): string => `tickwire.tab.${tab}`;
