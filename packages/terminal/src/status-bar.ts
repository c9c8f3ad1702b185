// The line at the foot: is everything live and how old is the newest price, how is the service, what is left of the
// allowance. It builds its own inside. Changes of the state are said aloud, the ticking of the age is not.
import type { Allowance, AnswerInfo, SessionStatistics, StateDetail, StreamKind, StreamState } from '@tickwire/client';
import { element, make, write } from './elements.ts';
import { duration } from './format.ts';
import { type StreamHealth, wordsOf } from './status-words.ts';

/** As many streams are open as there may be. */
const CLOSE_CROWDED = 4429;
const NOTICE_MS = 12_000;
/** A state that holds for this long is said aloud. */
const LASTS_MS = 1_500;

const TITLES: Readonly<Record<StreamKind, string>> = {
  market: 'prices',
  orderflow: 'order flow',
  signals: 'signals',
  news: 'news',
  bars: 'bars',
};

export class StatusBar {
  readonly element = element('status', HTMLElement);
  readonly #state = make('span', 'stream');
  readonly #long = make('span', 'long');
  readonly #short = make('span', 'short');
  readonly #announced = make('span', 'unseen');
  readonly #notice = make('span', 'notice');
  readonly #session = make('span', 'service');
  readonly #requests = make('span', 'allowance');
  readonly #streams = new Map<StreamKind, StreamHealth>();
  #allowance: Allowance | null = null;
  #ageMs: number | null = null;
  #simulated = false;
  #clear: ReturnType<typeof setTimeout> | undefined;
  /** What is said aloud, or about to be. */
  #next = '';
  #speaking: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#state.append(make('i', ''), this.#long, this.#short);
    for (const live of [this.#announced, this.#notice]) live.setAttribute('role', 'status');
    this.#requests.title = 'REST requests left in the rolling minute, over all keys of the account';
    this.element.replaceChildren(this.#state, this.#announced, this.#notice, this.#session, this.#requests);
    this.#show();
  }

  /** As the last answer told it; null before the first. */
  get allowance(): Allowance | null {
    return this.#allowance;
  }

  /** Prices that are shown are those of now, as far as the connection goes. */
  get pricesLive(): boolean {
    return this.#streams.get('market')?.state === 'live';
  }

  stream(kind: StreamKind, state: StreamState, detail: StateDetail): void {
    const before = this.#streams.get(kind);
    const wasLive = state === 'live' || (before?.wasLive ?? false);
    // While it is tried again nothing says that it will not be refused again.
    const trying = state === 'connecting' && detail.end === null && (before?.crowded ?? false);
    const crowded = trying || detail.end?.code === CLOSE_CROWDED;
    const retryAt = detail.retryInMs === null ? null : Date.now() + detail.retryInMs;
    this.#streams.set(kind, { state, reason: detail.end?.reason ?? '', retryAt, wasLive, crowded });
    this.#show();
  }

  /** It is no longer listened to. */
  without(kind: StreamKind): void {
    this.#streams.delete(kind);
    this.#show();
  }

  /** Of the newest price of all instruments; null where there is none. */
  age(ms: number | null): void {
    this.#ageMs = ms;
    this.#show();
  }

  session(statistics: SessionStatistics): void {
    const { instruments_active, clients_connected, uptime_seconds } = statistics;
    const clients = clients_connected === 1 ? '1 client' : `${clients_connected} clients`;
    write(this.#session, `${instruments_active} instruments active · ${clients} · up ${duration(uptime_seconds)}`);
  }

  answer({ allowance, simulated }: AnswerInfo): void {
    if (simulated) this.simulated();
    if (!allowance) return;
    this.#allowance = allowance;
    write(this.#requests, `${allowance.remaining} / ${allowance.limit} requests`);
    this.#requests.dataset.low = String(allowance.remaining < allowance.limit / 10);
  }

  /** Prices come from a simulation, as far as has been heard. */
  get isSimulated(): boolean {
    return this.#simulated;
  }

  simulated(): void {
    this.#simulated = true;
    element('simulated', HTMLElement).hidden = false;
  }

  say(text: string): void {
    write(this.#notice, text);
    clearTimeout(this.#clear);
    this.#clear = setTimeout(() => write(this.#notice, ''), NOTICE_MS);
  }

  #show(): void {
    const { health, text, short, announcement } = wordsOf(this.#streams.values(), this.#ageMs, Date.now());
    write(this.#long, text);
    write(this.#short, short);
    if (this.#state.dataset.health !== health) this.#state.dataset.health = health;
    // Prices that no longer move are shown as such, wherever they stand.
    const live = String(this.pricesLive);
    if (document.body.dataset.live !== live) document.body.dataset.live = live;
    this.#state.title = this.#each();
    this.#announce(announcement);
  }

  /** What lasts. A state that is passed through on the way to another is not worth interrupting somebody. */
  #announce(announcement: string): void {
    if (announcement === this.#next) return;
    this.#next = announcement;
    clearTimeout(this.#speaking);
    this.#speaking = setTimeout(() => write(this.#announced, announcement), LASTS_MS);
  }

  /** Each stream by itself, for who wants to know which one it is. */
  #each(): string {
    return [...this.#streams]
      .map(([kind, { state, reason }]) => `${TITLES[kind]}: ${state}${reason && `, ${reason}`}`)
      .join('\n');
  }
}
