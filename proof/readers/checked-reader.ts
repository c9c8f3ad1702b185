// One reader of a gateway: checks the continuity of every message, reconnects after a lost connection, and resumes there.
import { CLOSE, TEXT } from '../../bench/load/frames.ts';
import type { SocketPoller } from '../../bench/load/socket-poller.ts';
import type { SymbolIndex } from '../../bench/load/symbol-index.ts';
import { type WsListener, WsSocket } from '../../bench/load/ws-socket.ts';
import { ContinuityCheck } from './continuity-check.ts';
import { ContinuityTail } from './continuity-tail.ts';

/** Notices start with {"event". */
const LETTER_E = 0x65;
const LETTER_V = 0x76;

export type ReaderChannel = 'market' | 'signals' | 'news';

export interface ReaderCounts {
  deliveries: number;
  connects: number;
  resumed: number;
  /** Messages without continuity fields or with an unknown symbol. */
  unreadable: number;
  /** By kind of notice. */
  readonly notices: Record<string, number>;
  /** Connections closed by the server, by close code. */
  readonly cuts: Record<string, number>;
}

export interface ReaderOptions {
  readonly channel: ReaderChannel;
  /** `null`: all symbols of the channel. */
  readonly wanted: readonly string[] | null;
  /** Where to connect next. */
  readonly port: () => number;
  readonly key: string;
  readonly poller: SocketPoller;
  readonly symbols: SymbolIndex;
  readonly counts: ReaderCounts;
  /** Duration of a disconnection. */
  readonly pauseMs: () => number;
}

interface NoticeSaid {
  readonly event: string;
  readonly code?: string;
  readonly epoch?: string;
  readonly reason?: string;
  readonly symbols?: readonly string[];
  readonly to_seq?: number;
}

const tail = new ContinuityTail();

export class CheckedReader implements WsListener {
  readonly channel: ReaderChannel;
  readonly check: ContinuityCheck;
  readonly #options: ReaderOptions;
  /** News has no symbols: a subscription is one sequence. */
  readonly #oneRow: boolean;
  #socket: WsSocket | null = null;
  #epoch = '';
  /** Time of the next connection. */
  #dueAt = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.channel = options.channel;
    this.#oneRow = options.channel === 'news';
    this.check = new ContinuityCheck(this.#oneRow ? 1 : options.symbols.symbols.length);
  }

  get isOpen(): boolean {
    return this.#socket !== null;
  }

  connect(): void {
    const { port, key, poller, counts } = this.#options;
    if (this.check.position > 0 && this.#epoch !== '') {
      this.check.resume();
      counts.resumed++;
    } else this.check.restart();
    this.#socket = new WsSocket({ port: port(), key, path: `/ws/${this.channel}` }, this);
    counts.connects++;
    poller.add(this.#socket);
  }

  /** Called ten times a second. */
  tick(now: number): void {
    if (!this.#socket && now >= this.#dueAt) this.connect();
  }

  /** Disconnects and reconnects immediately. */
  leave(): void {
    if (!this.#socket) return;
    this.#drop();
    this.#dueAt = 0;
  }

  opened(): void {
    const { check } = this;
    this.#socket!.send(
      JSON.stringify({
        action: 'subscribe',
        symbols: this.#options.wanted ?? ['*'],
        seq: true,
        ...(this.channel === 'signals' && { closes: true }),
        ...(check.position > 0 && { resume_from: { epoch: this.#epoch, seq: check.position } }),
      }),
    );
  }

  frame(opcode: number, bytes: Buffer, start: number, end: number): void {
    if (opcode === CLOSE) this.lost(end > start ? String(bytes.readUInt16BE(start)) : 'closed');
    else if (opcode !== TEXT) return;
    else if (bytes[start + 2] === LETTER_E && bytes[start + 3] === LETTER_V)
      this.#notice(JSON.parse(bytes.toString('utf8', start, end)) as NoticeSaid);
    else this.#message(bytes, start, end);
  }

  /** The server closed the connection. */
  lost(reason: string): void {
    if (!this.#socket) return;
    const { cuts } = this.#options.counts;
    cuts[reason] = (cuts[reason] ?? 0) + 1;
    this.#drop();
    this.#dueAt = performance.now() + this.#options.pauseMs();
  }

  #message(bytes: Buffer, start: number, end: number): void {
    const { counts, symbols } = this.#options;
    counts.deliveries++;
    const symbol = this.#oneRow ? 0 : symbols.at(bytes, start, end);
    if (symbol < 0 || !tail.read(bytes, start, end)) counts.unreadable++;
    else this.check.message(symbol, tail.seq, tail.prev);
  }

  #notice({ event, code, epoch, reason, symbols = [], to_seq }: NoticeSaid): void {
    const { notices } = this.#options.counts;
    const kind = event === 'error' ? `error ${code}` : event === 'gap' ? `gap (${reason})` : event;
    notices[kind] = (notices[kind] ?? 0) + 1;
    if (event === 'subscribed' && epoch) this.#epoch = epoch;
    if (event === 'slow') this.check.slow();
    if (event === 'gap') {
      const rows = this.#oneRow ? [0] : symbols.map((symbol) => this.#options.symbols.of(symbol));
      this.check.gap({ reason: reason ?? '', symbols: rows, toSeq: to_seq ?? null });
    }
  }

  #drop(): void {
    this.#options.poller.remove(this.#socket!);
    this.#socket!.close();
    this.#socket = null;
  }
}
