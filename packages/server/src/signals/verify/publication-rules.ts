// Checks a published record against "Publishing" in docs/signals.md. Written from that page, not from the engine that
// applied the rules.
import { MAX_TARGETS, type PublishedRecord, WHOLE } from '@tickwire/contract';
import { DAY_MS, MINUTE_MS, toTicks } from '@tickwire/engine';
import type { FindingCode } from './findings.ts';
import { formatTicks, formatTime, isPrice, type ParsedPublication } from './parsed-signal.ts';

/** A quote older than this is not live. */
export const STALE_MS = MINUTE_MS;
const MARKET_ENTRY_MS = MINUTE_MS;
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
  const targets = r.targets?.map(({ price }) => price) ?? [];
  for (const price of [entry, stop_loss, take_profit, quote.bid, quote.ask, ...targets]) {
    if (isPrice(price, digits)) continue;
    fault('price', `${price} does not fit ${r.symbol}, which has ${digits} decimals`);
    return false;
  }
  return true;
}

export function checkPublication(r: PublishedRecord, p: ParsedPublication, fault: ReportFault): void {
  const { entry, stopLoss, targets, digits } = p;
  const [bid, ask] = [toTicks(p.quote.bid, digits), toTicks(p.quote.ask, digits)];
  const [entrySide, exitSide] = p.buy ? [ask, bid] : [bid, ask];
  const spread = ask - bid;
  const price = (ticks: number): string => formatTicks(ticks, p);
  const sign = p.buy ? 1 : -1;

  if (!checkTargets(r, p, fault)) return;
  if (spread < 0) fault('accepted_quote', `the accepted quote is crossed: ${price(bid)} / ${price(ask)}`);
  if (p.at - p.quote.time > STALE_MS)
    fault('accepted_quote', `the accepted quote was ${p.at - p.quote.time} ms old; the limit is 60 s`);
  const levels = [stopLoss, entry, ...targets.map((target) => target.price)];
  if (levels.some((level, index) => index > 0 && sign * level <= sign * levels[index - 1]!))
    fault('levels', `stop_loss, entry and targets are out of order: ${levels.map(price).join(', ')}`);
  const away = Math.abs(entry - entrySide);
  if (away * 5 > entrySide) fault('levels', `entry ${price(entry)} is more than 20 % away from ${price(entrySide)}`);
  for (const level of levels) {
    if (level !== entry && !isValidDistance(level, entry, spread))
      fault('levels', `${price(level)} is closer to the entry than the spread, or more than 50 % away`);
  }

  const tolerance = Math.max(spread, Math.floor(entrySide / 10_000));
  const market = away <= tolerance;
  const kind = market ? 'market' : entry < entrySide === p.buy ? 'limit' : 'stop';
  if (p.order !== kind) fault('order_kind', `by its quote it is a ${kind} entry, not ${p.order}`);
  const filledAt = market && p.rules === 1 ? entrySide : null;
  if (p.entryPrice !== filledAt)
    fault('order_kind', `entry_price must be ${filledAt === null ? 'absent' : price(filledAt)}`);
  const exit = sign * exitSide;
  if (market && (exit <= sign * stopLoss || exit >= sign * targets[0]!.price))
    fault('levels', `${price(exitSide)} had already reached a level when it was accepted`);
  checkDeadlines(p, fault);
}

/** P4: a distance that equals a limit is valid. */
export function isValidDistance(level: number, entry: number, spread: number): boolean {
  const distance = Math.abs(level - entry);
  return distance >= Math.max(1, spread) && distance * 2 <= entry;
}

/** P6, P7 */
function checkTargets(
  r: PublishedRecord,
  { rules, targets, breakevenAfter }: ParsedPublication,
  fault: ReportFault,
): boolean {
  if (rules === 1) {
    if (r.targets === undefined && breakevenAfter === null) return true;
    fault('targets', 'rules version 1 has neither targets nor breakeven_after');
    return false;
  }
  if (targets.length < 1 || targets.length > MAX_TARGETS) {
    fault('targets', `it has ${targets.length} targets; 1 to ${MAX_TARGETS} are allowed`);
    return false;
  }
  // Fractions with more than 4 decimals are NaN.
  const sum = targets.reduce((total, { fraction }) => total + (fraction > 0 ? fraction : Number.NaN), 0);
  if (sum !== WHOLE) {
    fault('targets', 'the fractions of its targets do not add up to 1');
    return false;
  }
  if (r.targets && r.take_profit !== r.targets.at(-1)!.price) fault('targets', 'take_profit is not the last target');
  if (breakevenAfter !== null && !(breakevenAfter >= 1 && breakevenAfter < targets.length))
    fault('targets', `breakeven_after is ${breakevenAfter}, with ${targets.length} targets`);
  return true;
}

/** D1 to D3. `expires_at` is not recorded: it is the deadline, unless that is the default. */
function checkDeadlines({ rules, order, at, entryDeadline, deadline }: ParsedPublication, fault: ReportFault): void {
  const ofMarket = rules === 2 && order === 'market';
  const entryDefault = at + (ofMarket ? MARKET_ENTRY_MS : ENTRY_MS);
  const usual = entryDeadline === entryDefault && deadline === at + LIFE_MS;
  const declaredEntry = ofMarket ? Math.min(entryDefault, deadline) : deadline;
  const declared = entryDeadline === declaredEntry && at < deadline && deadline <= at + LIFE_MS;
  if (usual || declared) return;
  fault(
    'deadline',
    `deadlines ${formatTime(entryDeadline)} and ${formatTime(deadline)} do not follow from ${formatTime(at)}`,
  );
}
