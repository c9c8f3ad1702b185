// Readers of a cluster in one process. Each has a gateway, switches to the other one when its connection ends, resumes there, and
// checks that it has lost nothing. Prints its state four times a second. On SIGUSR2, readers return to their first gateway;
// on SIGTERM, the process prints its findings and ends.
import { readFileSync } from 'node:fs';
import { CATALOGUE } from '@tickwire/engine';
import { seededRandom } from '../../bench/contenders/signal-pool.ts';
import { SystemError } from '../../bench/load/linux-sockets.ts';
import { SocketPoller } from '../../bench/load/socket-poller.ts';
import { SymbolIndex } from '../../bench/load/symbol-index.ts';
import { WsSocket } from '../../bench/load/ws-socket.ts';
import { CheckedReader, type ReaderChannel, type ReaderCounts } from './checked-reader.ts';

export interface ClusterReadersJob {
  readonly ports: readonly number[];
  readonly key: string;
  /** Readers per gateway. */
  readonly readers: number;
}

export interface ClusterProgress {
  /** Date.now() */
  readonly at: number;
  /** Connected readers per gateway. */
  readonly open: readonly number[];
  /** Longest time since a market reader received a message, in ms. */
  readonly stalest: number;
  readonly deliveries: number;
  readonly undeclared: number;
  readonly duplicates: number;
  /** The newest record of the signal log that all readers of signals have received. */
  readonly signals: number;
}

export interface ClusterReadersResult extends ReaderCounts {
  readonly undeclared: number;
  readonly duplicates: number;
  readonly declared: number;
  readonly faults: readonly string[];
}

const TICK_MS = 100;
const SAY_MS = 250;
const OPEN_AT_ONCE = 25;
const FEW = 5;
/** One reader in this many subscribes to signals, or to news. */
const SIGNALS_EVERY = 5;
const NEWS_EVERY = 17;
const MOST_FAULTS = 10;

const { ports, key, readers: count } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as ClusterReadersJob;
const poller = new SocketPoller();
const counts: ReaderCounts = { deliveries: 0, connects: 0, resumed: 0, unreadable: 0, notices: {}, cuts: {} };
const roll = seededRandom(11);
const symbols = new SymbolIndex(CATALOGUE.map(({ symbol }) => symbol));

class ClusterReader extends CheckedReader {
  lastAt = 0;
  readonly #place: { index: number };
  readonly #home: number;

  constructor(home: number, channel: ReaderChannel) {
    const place = { index: home };
    super({
      channel,
      wanted: channel === 'market' ? some() : null,
      port: () => ports[place.index]!,
      key,
      poller,
      symbols,
      counts,
      pauseMs: () => 20 + 200 * roll(),
    });
    this.#place = place;
    this.#home = home;
  }

  /** Returns to its first gateway. */
  goHome(): void {
    if (this.#place.index === this.#home) return;
    this.#place.index = this.#home;
    this.leave();
  }

  get place(): number {
    return this.#place.index;
  }

  override frame(opcode: number, bytes: Buffer, start: number, end: number): void {
    const before = counts.deliveries;
    super.frame(opcode, bytes, start, end);
    if (counts.deliveries > before) this.lastAt = WsSocket.chunkAt;
  }

  override tick(now: number): void {
    const wasOpen = this.isOpen;
    try {
      super.tick(now);
    } catch (error) {
      // Connection refused: try the other gateway next.
      if (!(error instanceof SystemError)) throw error;
    }
    if (!wasOpen && !this.isOpen) this.#place.index = (this.#place.index + 1) % ports.length;
  }
}

function some(): string[] {
  const chosen = new Set<string>();
  while (chosen.size < FEW) chosen.add(CATALOGUE[Math.floor(roll() * CATALOGUE.length)]!.symbol);
  return [...chosen];
}

const channelOf = (index: number): ReaderChannel =>
  index % SIGNALS_EVERY === 0 ? 'signals' : index % NEWS_EVERY === 0 ? 'news' : 'market';

const readers = ports.flatMap((_, home) =>
  Array.from({ length: count }, (_, index) => new ClusterReader(home, channelOf(index))),
);
const market = readers.filter(({ channel }) => channel === 'market');
const signals = readers.filter(({ channel }) => channel === 'signals');
const sum = (of: 'undeclared' | 'duplicates' | 'declared'): number =>
  readers.reduce((total, { check }) => total + check[of], 0);

let ending = false;
process.on('SIGUSR2', () => {
  for (const reader of readers) reader.goHome();
});
process.on('SIGTERM', () => {
  ending = true;
});
for (const [index, reader] of readers.entries()) {
  reader.connect();
  if (index % OPEN_AT_ONCE === 0) poller.run(5);
}
let tickAt = 0;
let saidAt = 0;
while (!ending) {
  poller.turn(5);
  const now = performance.now();
  if (now >= tickAt) {
    tickAt = now + TICK_MS;
    for (const reader of readers) reader.tick(now);
    // Let this process handle its signals.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (now >= saidAt) {
    saidAt = now + SAY_MS;
    const progress: ClusterProgress = {
      at: Date.now(),
      open: ports.map((_, place) => readers.filter((reader) => reader.isOpen && reader.place === place).length),
      stalest: now - Math.min(...market.map(({ lastAt }) => lastAt)),
      deliveries: counts.deliveries,
      undeclared: sum('undeclared'),
      duplicates: sum('duplicates'),
      signals: Math.min(...signals.map(({ check }) => check.position)),
    };
    console.log(JSON.stringify({ progress }));
  }
}
for (const { check, isOpen } of readers) if (isOpen) check.finish();
const result: ClusterReadersResult = {
  ...counts,
  undeclared: sum('undeclared'),
  duplicates: sum('duplicates'),
  declared: sum('declared'),
  faults: readers
    .flatMap(({ check, channel }) => (check.fault === null ? [] : [`a reader of ${channel}: ${check.fault}`]))
    .slice(0, MOST_FAULTS),
};
console.log(JSON.stringify(result));
process.exit(0);
