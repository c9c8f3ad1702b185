// Random logs of several publishers with different skill, for the ranking: the records of docs/reference/signals.md, as far as it reads
// them. Times step from minutes to days, so that the conditions on days, weeks and a year are met by some publishers only.
import { RULES_VERSION } from '@tickwire/contract';
import { fromTicks } from '@tickwire/engine';
import { Random } from './random.fixture.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const DIGITS = 2;
const WHOLE = 10_000;
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'];
const SOURCES = ['sim', 'sim', 'sim', 'sim', 'sim', 'oanda', 'push:p1', 'push:p2', 'import'];

export interface RankingLog {
  readonly now: number;
  readonly realm: 'live' | 'sim';
  readonly trusted?: readonly string[];
  readonly records: readonly RankingRecord[];
  /** Exit side of the standing price, by signal. */
  readonly marks: Readonly<Record<string, { readonly price: number }>>;
}

interface Common {
  readonly n: number;
  readonly rules: number;
  readonly at: string;
  readonly signal: string;
}
interface Source {
  readonly source: string;
}
export type RankingRecord = Common &
  (
    | {
        readonly type: 'published';
        readonly publisher: string;
        readonly symbol: string;
        readonly direction: 'buy' | 'sell';
        readonly entry: number;
        readonly stop_loss: number;
        readonly take_profit: number;
        readonly targets?: readonly { readonly price: number; readonly fraction: number }[];
        readonly quote: Source & { readonly bid: number; readonly ask: number };
      }
    | { readonly type: 'filled'; readonly entry_price: number; readonly filled_at: string; readonly filled: Source }
    | { readonly type: 'exited'; readonly fraction: number; readonly price: number; readonly decided: Source }
    | {
        readonly type: 'closed';
        readonly reason: string;
        readonly closed_at: string;
        readonly last_exit: { readonly fraction: number; readonly price: number } | null;
        readonly gap_from?: string;
        readonly decided: Source;
      }
    | { readonly type: 'voided' }
  );
type Body<R = RankingRecord> = R extends RankingRecord ? Omit<R, keyof Common> : never;

interface Open {
  readonly signal: string;
  readonly publisher: string;
  readonly sign: 1 | -1;
  readonly entry: number;
  readonly risk: number;
  filled: boolean;
  /** In units of 1e-4. */
  rest: number;
}

export const randomLog = (seed: number): RankingLog => new LogGenerator(seed).log();

class LogGenerator {
  readonly #random: Random;
  readonly #records: RankingRecord[] = [];
  readonly #skills: Readonly<Record<string, number>>;
  readonly #step: number;
  /** Share of the prices that come from any source, not from the simulation. */
  readonly #foreign: number;
  readonly #maxOpen: number;
  #open: Open[] = [];
  readonly #closed: Open[] = [];
  #now = START;

  constructor(seed: number) {
    const random = new Random(seed);
    this.#random = random;
    const names = Array.from({ length: random.integer(1, 6) }, (_, index) => `p${index + 1}`);
    this.#skills = Object.fromEntries(names.map((name) => [name, random.pick([-0.3, 0, 0.3, 0.8, 1.2])]));
    this.#step = random.pick([60_000, 3_600_000, DAY_MS / 6, DAY_MS / 2, DAY_MS]);
    this.#foreign = random.pick([0, 0.02, 0.3]);
    this.#maxOpen = random.pick([1, 4, 12]);
  }

  log(): RankingLog {
    const random = this.#random;
    const length = random.integer(20, 2_500);
    while (this.#records.length < length) this.#next();
    const marks = Object.fromEntries(
      this.#open
        .filter(({ filled }) => filled && random.chance(0.9))
        .map((open) => [open.signal, { price: this.#exitPrice(open) }]),
    );
    const now = this.#now + random.pick([0, 0, DAY_MS, 300 * DAY_MS, 366 * DAY_MS]);
    const trusted = random.chance(0.3) ? random.pick([['sim'], ['sim', 'push'], ['sim', 'push:p1']]) : undefined;
    const realm = random.chance(0.4) ? 'sim' : 'live';
    return { now, realm, records: this.#records, marks, ...(trusted && { trusted }) };
  }

  #next(): void {
    const random = this.#random;
    this.#now += random.integer(0, this.#step);
    const open = this.#open.length > 0 ? random.pick(this.#open) : null;
    const kind = random.weighted({ publish: 3, fill: 4, exit: 1, close: 6, void: 0.1 });
    if (!open || (kind === 'publish' && this.#open.length < this.#maxOpen)) this.#publish();
    else if (kind === 'fill' && !open.filled) this.#fill(open);
    else if (kind === 'exit' && open.filled && open.rest > 1) this.#exit(open);
    else if (kind === 'void') this.#void(open);
    else if (kind === 'close') this.#close(open);
  }

  #publish(): void {
    const random = this.#random;
    const signal = `s${this.#records.length}`;
    const sign = random.pick([1, -1] as const);
    const [entry, risk, spread] = [10_000, random.integer(1, 300), random.integer(0, 20)];
    const publisher = random.pick(Object.keys(this.#skills));
    this.#open.push({ signal, publisher, sign, entry, risk, filled: false, rest: WHOLE });
    const reward = Math.round(risk * random.pick([0.5, 1, 2, 3, 12]));
    const target = (share: number): number => price(entry + sign * Math.max(1, Math.round(reward * share)));
    const targets = [
      { price: target(0.5), fraction: 0.3 },
      { price: target(1), fraction: 0.7 },
    ];
    const quote = { bid: price(entry - spread), ask: price(entry), source: this.#source() };
    this.#write(signal, {
      type: 'published',
      publisher,
      symbol: random.pick(SYMBOLS),
      direction: sign === 1 ? 'buy' : 'sell',
      entry: price(entry),
      stop_loss: price(entry - sign * risk),
      take_profit: target(1),
      ...(random.chance(0.3) && { targets }),
      quote,
    });
  }

  #fill(open: Open): void {
    open.filled = true;
    const entry_price = price(open.entry + open.sign * this.#random.integer(-5, 5));
    const filled = { source: this.#source() };
    this.#write(open.signal, { type: 'filled', entry_price, filled_at: this.#iso(), filled });
  }

  #exit(open: Open): void {
    const units = this.#random.integer(1, open.rest - 1);
    open.rest -= units;
    const decided = { source: this.#source() };
    const part = { fraction: units / WHOLE, price: this.#exitPrice(open) };
    this.#write(open.signal, { type: 'exited', ...part, decided });
  }

  #close(open: Open): void {
    const random = this.#random;
    this.#end(open);
    const last_exit = open.filled ? { fraction: open.rest / WHOLE, price: this.#exitPrice(open) } : null;
    // A deadline lies before the record that follows from it.
    const closed_at = new Date(this.#now - (random.chance(0.2) ? random.integer(0, 10_000) : 0)).toISOString();
    const gap = random.chance(0.02) && { gap_from: this.#iso() };
    const reason = open.filled ? 'manual' : 'unfilled';
    const closed = {
      type: 'closed',
      reason,
      closed_at,
      last_exit,
      ...gap,
      decided: { source: this.#source() },
    } as const;
    this.#write(open.signal, closed);
  }

  /** Voids an open signal, or one that has closed. */
  #void(open: Open): void {
    const voided = this.#closed.length > 0 && this.#random.chance(0.5) ? this.#random.pick(this.#closed) : open;
    if (voided === open) this.#end(open);
    this.#closed.splice(this.#closed.indexOf(voided), 1);
    this.#write(voided.signal, { type: 'voided' });
  }

  #end(open: Open): void {
    this.#open = this.#open.filter((each) => each !== open);
    this.#closed.push(open);
  }

  #exitPrice({ publisher, entry, sign, risk }: Open): number {
    const random = this.#random;
    const r = random.chance(0.01)
      ? random.pick([-60, -6, -5, 10, 12])
      : this.#skills[publisher]! + random.next() * 3 - 1.5;
    return price(entry + sign * Math.round(r * risk));
  }

  #source(): string {
    return this.#random.chance(this.#foreign) ? this.#random.pick(SOURCES) : 'sim';
  }

  #iso(): string {
    return new Date(this.#now).toISOString();
  }

  #write(signal: string, body: Body): void {
    this.#records.push({ n: this.#records.length, rules: RULES_VERSION, at: this.#iso(), signal, ...body });
  }
}

const price = (ticks: number): number => fromTicks(ticks, DIGITS);
