// Checks a published record against "Publishing" in docs/signals.md. Written from that page, not from the engine that
// applied the rules.
import { type PublishedRecord, RULES_VERSION } from '@tickwire/contract';
import { DAY_MS, MINUTE_MS, toTicks } from '@tickwire/engine';
import type { FindingCode } from './findings.ts';
import { formatTicks, formatTime, isPrice, type ParsedPublication } from './parsed-signal.ts';

const STALE_MS = MINUTE_MS;
const ENTRY_MS = DAY_MS;
const LIFE_MS = 30 * DAY_MS;
const MAX_DIGITS = 12;

export type ReportFault = (code: FindingCode, message: string) => void;

/** Whether the prices are valid at all; all other rules assume it. */
export function checkPrices(r: PublishedRecord, fault: ReportFault): boolean {
  const { digits, pip_size: pip } = r.instrument;
  if (digits < 0 || digits > MAX_DIGITS || !(pip > 0)) {
    fault('price', `an instrument cannot have ${digits} digits and a pip size of ${pip}`);
    return false;
  }
  const { entry, stop_loss, take_profit, quote } = r;
  for (const price of [entry, stop_loss, take_profit, quote.bid, quote.ask]) {
    if (isPrice(price, digits)) continue;
    fault('price', `${price} does not fit ${r.symbol}, which has ${digits} decimals`);
    return false;
  }
  return true;
}

export function checkPublication(p: ParsedPublication, fault: ReportFault): void {
  const { entry, stopLoss, takeProfit, digits } = p;
  const [bid, ask] = [toTicks(p.quote.bid, digits), toTicks(p.quote.ask, digits)];
  const [entrySide, exitSide] = p.buy ? [ask, bid] : [bid, ask];
  const spread = ask - bid;
  const price = (ticks: number): string => formatTicks(ticks, p);
  const between = (value: number): boolean =>
    p.buy ? stopLoss < value && value < takeProfit : takeProfit < value && value < stopLoss;

  if (spread < 0) fault('accepted_quote', `the accepted quote is crossed: ${price(bid)} / ${price(ask)}`);
  if (p.at - p.quote.time > STALE_MS)
    fault('accepted_quote', `the accepted quote was ${p.at - p.quote.time} ms old; the limit is 60 s`);
  if (!between(entry))
    fault(
      'levels',
      `stop_loss ${price(stopLoss)}, entry ${price(entry)} and take_profit ${price(takeProfit)} are out of order`,
    );
  const away = Math.abs(entry - entrySide);
  if (away * 5 > entrySide) fault('levels', `entry ${price(entry)} is more than 20 % away from ${price(entrySide)}`);
  for (const level of [stopLoss, takeProfit]) {
    const distance = Math.abs(level - entry);
    if (distance < Math.max(1, spread) || distance * 2 > entry)
      fault('levels', `${price(level)} is closer to the entry than the spread, or more than 50 % away`);
  }

  const tolerance = Math.max(spread, Math.floor(entrySide / 10_000));
  const market = away <= tolerance;
  const kind = market ? 'market' : entry < entrySide === p.buy ? 'limit' : 'stop';
  if (p.order !== kind) fault('order_kind', `by its quote it is a ${kind} entry, not ${p.order}`);
  const filledAt = market ? entrySide : null;
  if (p.entryPrice !== filledAt)
    fault('order_kind', `by its quote entry_price must be ${filledAt === null ? 'absent' : price(filledAt)}`);
  if (market && !between(exitSide))
    fault('levels', `${price(exitSide)} had already reached a level when it was accepted`);
  checkDeadlines(p, fault);
}

/** `expires_at` is not recorded: either both deadlines equal it, or both are the defaults. */
function checkDeadlines({ at, entryDeadline, deadline }: ParsedPublication, fault: ReportFault): void {
  const usual = entryDeadline === at + ENTRY_MS && deadline === at + LIFE_MS;
  const declared = entryDeadline === deadline && at < deadline && deadline <= at + LIFE_MS;
  if (usual || declared) return;
  fault(
    'deadline',
    `deadlines ${formatTime(entryDeadline)} and ${formatTime(deadline)} do not follow from ${formatTime(at)}`,
  );
}

export function checkRules(rules: number, fault: ReportFault): void {
  if (rules !== RULES_VERSION)
    fault('rules_version', `rules version ${rules} is unknown: this release knows ${RULES_VERSION}`);
}
