// Checks that a parsed record has the fields of its type. Written by hand for speed: a log has millions of records, and
// schema validation would take longer than all other checks together. If this check fails, the contract's schema gives
// the reason.
import { CLOSE_REASONS, LogRecord, ORDER_KINDS, RECOVERED } from '@tickwire/contract';
import { firstFault } from '../../errors/validation.ts';

type Fields = Readonly<Record<string, unknown>>;

/** From 1970 on. Days beyond the end of a month are caught by isRealDay. */
const TIME =
  /^(?:19[7-9]|[2-9]\d\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const LATE_DAY = /^.{8}(?:29|3)/;
const HASH = /^[0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{128}$/;
/** A void is a record of its own. */
const REASONS: ReadonlySet<unknown> = new Set(CLOSE_REASONS.filter((reason) => reason !== 'voided'));
const ORIGINS: ReadonlySet<unknown> = new Set([undefined, ...RECOVERED.options]);
const ORDERS: ReadonlySet<unknown> = new Set(ORDER_KINDS);

const twoDigits = (text: string, at: number): number => 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * 0x30;

/** The last day that `timeOf` computed, as the number YYYYMMDD, and its start in milliseconds since 1970. */
let [knownDay, knownDayStart] = [0, 0];

/**
 * A time of a record, in milliseconds since 1970. Much faster than Date.parse, because the format is known and most times are of
 * the same day as the one before.
 */
export function timeOf(text: string): number {
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  if (year < 1970) return Date.parse(text);
  const [month, date] = [twoDigits(text, 5), twoDigits(text, 8)];
  const day = 10_000 * year + 100 * month + date;
  if (day !== knownDay) {
    knownDay = day;
    knownDayStart = Date.UTC(year, month - 1, date);
  }
  const seconds = 3_600 * twoDigits(text, 11) + 60 * twoDigits(text, 14) + twoDigits(text, 17);
  return knownDayStart + 1_000 * seconds + 10 * twoDigits(text, 20) + text.charCodeAt(22) - 0x30;
}

const isText = (value: unknown): boolean => typeof value === 'string';
// JSON has neither NaN nor Infinity, but 1e999 parses as Infinity.
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value);
const isTime = (value: unknown): boolean =>
  typeof value === 'string' && TIME.test(value) && (!LATE_DAY.test(value) || isRealDay(value));
/** The 31st of a short month is the first of the next one. */
const isRealDay = (time: string): boolean => new Date(timeOf(time)).getUTCDate() === twoDigits(time, 8);
const isHash = (value: unknown): boolean => typeof value === 'string' && HASH.test(value);
const isSide = (value: unknown): boolean => value === 'buy' || value === 'sell';
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function isSpecification(value: unknown): boolean {
  return isFields(value) && isWhole(value.digits) && isNumber(value.pip_size);
}

function isQuote(value: unknown): boolean {
  return isFields(value) && value.kind === 'quote' && isEvidence(value);
}

function isEvidence(value: unknown): boolean {
  if (!isFields(value) || !isWhole(value.seq) || !isTime(value.time) || !isText(value.source)) return false;
  if (value.kind === 'quote') return isNumber(value.bid) && isNumber(value.ask);
  if (value.kind === 'trade') return isNumber(value.price) && isSide(value.side) && isNumber(value.spread);
  if (value.kind !== 'bar' || !isNumber(value.spread)) return false;
  return isNumber(value.open) && isNumber(value.high) && isNumber(value.low) && isNumber(value.close);
}

const isOfSignal = (r: Fields): boolean => isText(r.signal) && isText(r.publisher) && isText(r.symbol);

const isSigned = (value: unknown): boolean =>
  value === undefined ||
  (isFields(value) &&
    isTime(value.signed_at) &&
    typeof value.signature === 'string' &&
    SIGNATURE.test(value.signature) &&
    isHash(value.public_key));

const isPart = (value: unknown): boolean => isFields(value) && isNumber(value.fraction) && isNumber(value.price);

const isPublished = (r: Fields): boolean =>
  isOfSignal(r) &&
  isSpecification(r.instrument) &&
  isSide(r.direction) &&
  isNumber(r.entry) &&
  isNumber(r.stop_loss) &&
  isNumber(r.take_profit) &&
  (r.targets === undefined || (Array.isArray(r.targets) && r.targets.every(isPart))) &&
  (r.breakeven_after === undefined || isWhole(r.breakeven_after)) &&
  ORDERS.has(r.order) &&
  isTime(r.entry_deadline) &&
  isTime(r.deadline) &&
  (r.entry_price === undefined || isNumber(r.entry_price)) &&
  (r.note_sha256 === undefined || isHash(r.note_sha256)) &&
  isSigned(r.signed) &&
  isQuote(r.quote);

const isFilled = (r: Fields): boolean =>
  isOfSignal(r) && isNumber(r.entry_price) && isTime(r.filled_at) && isEvidence(r.filled) && ORIGINS.has(r.recovered);

const isExited = (r: Fields): boolean =>
  isOfSignal(r) &&
  isWhole(r.target) &&
  isPart(r) &&
  isTime(r.exited_at) &&
  isEvidence(r.decided) &&
  ORIGINS.has(r.recovered);

const isRequest = (r: Fields): boolean => isOfSignal(r) && isSigned(r.signed) && isQuote(r.quote);

const isClosed = (r: Fields): boolean =>
  isOfSignal(r) &&
  isSpecification(r.instrument) &&
  REASONS.has(r.reason) &&
  (r.entry_price === null || isNumber(r.entry_price)) &&
  (r.exit_price === null || isNumber(r.exit_price)) &&
  (r.last_exit === undefined || r.last_exit === null || isPart(r.last_exit)) &&
  isTime(r.closed_at) &&
  isNumber(r.pnl) &&
  isNumber(r.pnl_percent) &&
  isNumber(r.pnl_r) &&
  (r.pnl_best === undefined || isNumber(r.pnl_best)) &&
  (r.gap_from === undefined || isTime(r.gap_from)) &&
  (r.gap_to === undefined || isTime(r.gap_to)) &&
  (r.self_sourced === undefined || r.self_sourced === true) &&
  ORIGINS.has(r.recovered) &&
  (r.filled === null || isEvidence(r.filled)) &&
  isEvidence(r.decided) &&
  isWhole(r.decided_seq);

const SHAPES: Readonly<Record<string, (r: Fields) => boolean>> = {
  published: isPublished,
  filled: isFilled,
  exited: isExited,
  amended: (r) => isRequest(r) && isNumber(r.stop_loss),
  close_requested: isRequest,
  closed: isClosed,
  voided: (r) => isOfSignal(r) && isText(r.reason),
};

/** What is wrong with the shape of a record; `null` if nothing is. */
export function shapeFault(record: unknown): string | null {
  if (isFields(record) && isWhole(record.n) && isHash(record.prev) && isWhole(record.rules) && isTime(record.at)) {
    if (SHAPES[String(record.type)]?.(record)) return null;
  }
  const read = LogRecord.safeParse(record);
  if (read.success) return null;
  return firstFault(read.error, LogRecord, record, 'the record');
}
