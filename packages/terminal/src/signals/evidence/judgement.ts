// What the rules of docs/signals.md make of the evidence in a record: whether the publication could be accepted against its
// quote, and whether what is said to have decided it does. Prices here are whole ticks; a sell is a buy in a mirror, its
// prices with a minus, so that one set of comparisons serves both.
import { isWhole, ticksOf } from './arithmetic.ts';
import type { ClosedRecord, Evidence, PublishedRecord } from './step.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const STALE_MS = 60_000;

type Bar = Extract<Evidence, { kind: 'bar' }>;
type Told = Exclude<Evidence, Bar>;

const ticksIn = (p: PublishedRecord, price: number): number => Number(ticksOf(price, p.instrument.digits));
const mirror = (p: PublishedRecord): 1 | -1 => (p.direction === 'buy' ? 1 : -1);

function levelsOf(p: PublishedRecord) {
  const sign = mirror(p);
  const at = (price: number): number => sign * ticksIn(p, price);
  return { entry: at(p.entry), stop: at(p.stop_loss), target: at(p.take_profit) };
}

/** Entry and exit side, mirrored; NaN where a trade does not tell: comparisons with it are false. */
function sidesOf(p: PublishedRecord, e: Told): { readonly entry: number; readonly exit: number } {
  const at = (price: number): number => ticksIn(p, price);
  const bid = e.kind === 'quote' ? at(e.bid) : e.side === 'sell' ? at(e.price) : Number.NaN;
  const ask = e.kind === 'quote' ? at(e.ask) : e.side === 'buy' ? at(e.price) : Number.NaN;
  return p.direction === 'buy' ? { entry: ask, exit: bid } : { entry: -bid, exit: -ask };
}

/** The same of what stands: the side that is not told lies as far away as it did in the last quote. */
function standingExit(p: PublishedRecord, e: Evidence): number {
  const at = (price: number): number => ticksIn(p, price);
  const buy = p.direction === 'buy';
  if (e.kind === 'quote') return buy ? at(e.bid) : -at(e.ask);
  const spread = at(e.spread);
  if (e.kind === 'trade' && e.side === 'buy') return buy ? at(e.price) - spread : -at(e.price);
  const bid = at(e.kind === 'trade' ? e.price : e.close);
  return buy ? bid : -(bid + spread);
}

/** A bar on the exit side, mirrored; its entry side lies `spread` above. */
function barOf(p: PublishedRecord, e: Bar) {
  const at = (price: number): number => ticksIn(p, price);
  const spread = at(e.spread);
  if (p.direction === 'buy') return { open: at(e.open), high: at(e.high), low: at(e.low), spread };
  return { open: -(at(e.open) + spread), high: -(at(e.low) + spread), low: -(at(e.high) + spread), spread };
}

export function publicationFaults(p: PublishedRecord): string[] {
  const { digits, pip_size } = p.instrument;
  const prices = [p.entry, p.stop_loss, p.take_profit, p.quote.bid, p.quote.ask];
  const unsound = prices.find((price) => !isWhole(price, digits));
  if (unsound !== undefined) return [`${unsound} is no price of an instrument with ${digits} decimals`];
  if (!(pip_size > 0)) return [`a pip of ${pip_size} cannot be`];
  const faults: string[] = [];
  const { entry, stop, target } = levelsOf(p);
  const sides = sidesOf(p, p.quote);
  const spread = sides.entry - sides.exit;
  const age = Date.parse(p.at) - Date.parse(p.quote.time);
  if (spread < 0) faults.push('The bid of its quote is above the ask');
  if (age > STALE_MS) faults.push(`Its quote was ${Math.round(age / 1_000)} s old: 60 s are allowed`);
  if (!(stop < entry && entry < target)) faults.push('Stop, entry and target are out of order');
  const away = Math.abs(entry - sides.entry);
  if (away * 5 > Math.abs(sides.entry)) faults.push('The entry is more than 20 % away from the market');
  for (const level of [stop, target]) {
    const distance = Math.abs(level - entry);
    if (distance < Math.max(1, spread) || distance * 2 > Math.abs(entry))
      faults.push('A level is nearer to the entry than the spread, or further than 50 %');
  }
  const atMarket = away <= Math.max(spread, Math.floor(Math.abs(sides.entry) / 10_000));
  const kind = atMarket ? 'market' : entry < sides.entry ? 'limit' : 'stop';
  if (p.order !== kind) faults.push(`By its quote it is a ${kind} entry, not ${p.order}`);
  const filled = p.entry_price === undefined ? null : mirror(p) * ticksIn(p, p.entry_price);
  if (filled !== (atMarket ? sides.entry : null)) faults.push('The price of its fill does not follow from its quote');
  if (atMarket && !(stop < sides.exit && sides.exit < target)) faults.push('A level had been reached already');
  return [...faults, ...deadlineFaults(p)];
}

function deadlineFaults(p: PublishedRecord): string[] {
  const [at, ofEntry, ofSignal] = [Date.parse(p.at), Date.parse(p.entry_deadline), Date.parse(p.deadline)];
  const usual = ofEntry === at + DAY && ofSignal === at + 30 * DAY;
  const declared = ofEntry === ofSignal && at < ofSignal && ofSignal <= at + 30 * DAY;
  return usual || declared ? [] : ['Its deadlines do not follow from the time of publication'];
}

/** Where a pending entry fills by what is said to have filled it, mirrored; null where it does not. */
function fillOf(p: PublishedRecord, e: Evidence): number | null {
  const { entry } = levelsOf(p);
  if (e.kind === 'bar') {
    const bar = barOf(p, e);
    if (p.order === 'limit') return bar.low + bar.spread <= entry ? entry : null;
    return bar.high + bar.spread >= entry ? Math.max(entry, bar.open + bar.spread) : null;
  }
  const side = sidesOf(p, e).entry;
  if (p.order === 'limit') return side <= entry ? entry : null;
  return side >= entry ? side : null;
}

/** What is wrong with how it was filled. */
export function fillFaults(p: PublishedRecord, c: ClosedRecord): string[] {
  if (c.reason === 'unfilled') {
    if (p.order === 'market') return ['A market entry cannot end unfilled'];
    return c.entry_price === null && c.exit_price === null ? [] : ['An unfilled signal has no prices'];
  }
  if (c.entry_price === null || c.exit_price === null) return ['A filled signal has an entry and an exit price'];
  if (p.order === 'market')
    return c.entry_price === p.entry_price ? [] : ['The entry price is not that of the publication'];
  if (c.filled === null) return [`Nothing is said to have filled the ${p.order} entry`];
  if (Date.parse(c.filled.time) >= Date.parse(p.entry_deadline))
    return ['It was filled after the deadline of the entry'];
  const price = fillOf(p, c.filled);
  if (price === null) return ['What is said to have filled it does not reach the entry'];
  return price === mirror(p) * ticksIn(p, c.entry_price) ? [] : ['It did not fill at that entry price'];
}

/** What is wrong with how it ended: the reason, the exit price and the time. */
export function endFaults(p: PublishedRecord, c: ClosedRecord): string[] {
  const { decided, reason } = c;
  if (decided.seq < p.quote.seq || c.decided_seq < decided.seq) return ['Its evidence is older than the signal'];
  if (reason === 'stop_loss' || reason === 'take_profit') return decisionFaults(p, c, decided);
  const deadline = Date.parse(reason === 'unfilled' ? p.entry_deadline : p.deadline);
  const closed = Date.parse(c.closed_at);
  if (closed > deadline) return ['It was closed after its deadline'];
  if (reason === 'expired' && closed !== deadline) return ['It expired at another time than its deadline'];
  if (reason === 'manual' && (decided.kind !== 'quote' || closed - Date.parse(decided.time) > STALE_MS))
    return ['It was closed by hand at no quote of the last 60 s'];
  if (reason === 'unfilled' || c.exit_price === null) return [];
  if (standingExit(p, decided) === mirror(p) * ticksIn(p, c.exit_price)) return [];
  return ['The exit price is not where the market stood'];
}

function decisionFaults(p: PublishedRecord, c: ClosedRecord, e: Evidence): string[] {
  if (e.seq <= p.quote.seq) return ['It was decided by a price that was known when it was published'];
  const exit = decidedExit(p, c, e);
  if (exit === null)
    return [`What is said to have decided it does not reach the ${c.reason === 'stop_loss' ? 'stop' : 'target'}`];
  const faults: string[] = [];
  if (c.exit_price === null || exit !== mirror(p) * ticksIn(p, c.exit_price))
    faults.push('The exit price does not follow from what decided it');
  const ended = Date.parse(e.time) + (e.kind === 'bar' ? MINUTE : 0);
  if (Date.parse(c.closed_at) !== ended) faults.push('It was not closed at the time of what decided it');
  if (Date.parse(e.time) >= Date.parse(p.deadline)) faults.push('What decided it came after the deadline');
  return faults;
}

/** Mirrored; null where the level of its reason is not reached, or the other one was first. */
function decidedExit(p: PublishedRecord, c: ClosedRecord, e: Evidence): number | null {
  const { stop, target } = levelsOf(p);
  const atStop = c.reason === 'stop_loss';
  if (e.kind === 'bar') {
    const { open, high, low } = barOf(p, e);
    // A stop entry was not in yet when the bar that filled it opened.
    const lateEntry = c.filled?.seq === e.seq && p.order === 'stop';
    if (atStop) return low <= stop ? (lateEntry ? stop : Math.min(stop, open)) : null;
    return low > stop && high >= target ? target : null;
  }
  const { exit } = sidesOf(p, e);
  if (atStop) return exit <= stop ? exit : null;
  return exit > stop && exit >= target ? target : null;
}
