// One reader of a soak: checks the continuity of every message, and is slow, stalls or disconnects according to its plan.
import { ContinuityCheck } from './continuity-check.ts';
import { ContinuityTail } from './continuity-tail.ts';
import { CLOSE, TEXT } from './frames.ts';
import type { SoakContext, SoakCounts } from './soak-context.ts';
import type { SoakPlan } from './soak-plan.ts';
import { type WsListener, WsSocket } from './ws-socket.ts';

/** Small receive buffer, so that unread messages stay in the server and not in the kernel. */
const SMALL_RECEIVE_BYTES = 16 * 1024;
/** Notices start with {"event". */
const LETTER_E = 0x65;
const LETTER_V = 0x76;

interface NoticeSaid {
  readonly event: string;
  readonly code?: string;
  readonly epoch?: string;
  readonly reason?: string;
  readonly symbols?: readonly string[];
  readonly to_seq?: number;
}

const tail = new ContinuityTail();

export class SoakReader implements WsListener {
  readonly plan: SoakPlan;
  readonly check: ContinuityCheck;
  readonly #world: SoakContext;
  readonly #counts: SoakCounts;
  /** News has no symbols: a subscription is one sequence. */
  readonly #oneRow: boolean;
  #socket: WsSocket | null = null;
  #reading = false;
  #epoch = '';
  /** Time of the next action: reconnect, stall, read again, disconnect. */
  #dueAt = 0;
  #stalled = false;

  constructor(world: SoakContext, plan: SoakPlan) {
    this.#world = world;
    this.#counts = world.counts;
    this.plan = plan;
    this.#oneRow = plan.channel === 'news';
    this.check = new ContinuityCheck(this.#oneRow ? 1 : world.symbols.symbols.length);
  }

  get isOpen(): boolean {
    return this.#socket !== null;
  }

  connect(now: number): void {
    const { plan, check } = this;
    const resumes = check.position > 0 && this.#epoch !== '';
    if (resumes) {
      check.resume();
      this.#counts.resumed++;
    } else check.restart();
    const small = plan.behaviour === 'slow' || plan.behaviour === 'stalling';
    const { port, key } = this.#world;
    const options = { port, key, path: `/ws/${plan.channel}`, ...(small && { receiveBytes: SMALL_RECEIVE_BYTES }) };
    this.#socket = new WsSocket(options, this);
    this.#counts.connects++;
    this.#stalled = false;
    this.#read(plan.behaviour !== 'slow');
    this.#dueAt = now + this.#until();
  }

  /** Called ten times a second: reads its share and performs due actions. */
  tick(now: number, trickleBytes: number): void {
    if (this.plan.behaviour === 'slow') this.#socket?.read(Math.ceil(trickleBytes * this.plan.share));
    if (now < this.#dueAt) return;
    if (!this.#socket) this.connect(now);
    else if (this.plan.behaviour === 'restless') this.#goAway(now);
    else if (this.plan.behaviour === 'stalling') {
      this.#stalled = !this.#stalled;
      if (this.#stalled) this.#counts.stalls++;
      this.#read(!this.#stalled);
      this.#dueAt = now + this.#until();
    }
  }

  /** Reads everything from now on, whatever its behaviour. */
  catchUp(): void {
    if (this.#socket) this.#read(true);
  }

  /** Disconnects and reconnects immediately. */
  leave(): void {
    if (!this.#socket) return;
    this.#drop();
    this.#dueAt = 0;
  }

  opened(): void {
    const { plan, check } = this;
    this.#socket!.send(
      JSON.stringify({
        action: 'subscribe',
        symbols: plan.symbols ?? ['*'],
        seq: true,
        ...(plan.channel === 'signals' && { closes: true }),
        ...(check.position > 0 && { resume_from: { epoch: this.#epoch, seq: check.position } }),
      }),
    );
  }

  frame(opcode: number, bytes: Buffer, start: number, end: number): void {
    if (opcode === CLOSE) this.#lost(end > start ? String(bytes.readUInt16BE(start)) : 'closed');
    else if (opcode !== TEXT) return;
    else if (bytes[start + 2] === LETTER_E && bytes[start + 3] === LETTER_V)
      this.#notice(JSON.parse(bytes.toString('utf8', start, end)) as NoticeSaid);
    else this.#message(bytes, start, end);
  }

  lost(reason: string): void {
    this.#lost(reason);
  }

  #message(bytes: Buffer, start: number, end: number): void {
    this.#counts.deliveries++;
    const symbol = this.#oneRow ? 0 : this.#world.symbols.at(bytes, start, end);
    if (symbol < 0 || !tail.read(bytes, start, end)) this.#counts.unreadable++;
    else this.check.message(symbol, tail.seq, tail.prev);
  }

  #notice({ event, code, epoch, reason, symbols = [], to_seq }: NoticeSaid): void {
    const { notices } = this.#counts;
    const kind = event === 'error' ? `error ${code}` : event === 'gap' ? `gap (${reason})` : event;
    notices[kind] = (notices[kind] ?? 0) + 1;
    if (event === 'slow' && this.plan.behaviour === 'steady') this.#counts.steadySlowed++;
    if (event === 'subscribed' && epoch) this.#epoch = epoch;
    if (event === 'slow') this.check.slow();
    if (event === 'gap') {
      const rows = this.#oneRow ? [0] : symbols.map((symbol) => this.#world.symbols.of(symbol));
      this.check.gap({ reason: reason ?? '', symbols: rows, toSeq: to_seq ?? null });
    }
  }

  /** The server closed the connection. */
  #lost(reason: string): void {
    if (!this.#socket) return;
    const { cuts } = this.#counts;
    const kind = `${this.plan.behaviour}: ${reason}`;
    cuts[kind] = (cuts[kind] ?? 0) + 1;
    this.#drop();
    this.#dueAt = performance.now() + this.#world.pauseMs();
  }

  #goAway(now: number): void {
    this.#drop();
    // One in four reconnects without resuming.
    if (this.#world.roll() < 0.25) this.#epoch = '';
    this.#dueAt = now + this.#world.pauseMs();
  }

  #drop(): void {
    this.#read(false);
    this.#socket!.close();
    this.#socket = null;
  }

  #read(reads: boolean): void {
    if (reads === this.#reading) return;
    this.#reading = reads;
    if (reads) this.#world.poller.add(this.#socket!);
    else this.#world.poller.remove(this.#socket!);
  }

  #until(): number {
    return this.plan.behaviour === 'steady' ? Number.POSITIVE_INFINITY : this.#world.spellMs();
  }
}
