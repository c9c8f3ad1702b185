// "Publishing" in docs/signals.md, held against a published record: what the quote it was accepted against makes of it.
// Written from that page, not from the engine that applied it.
import { type PublishedRecord, RULES_VERSION } from '@tickwire/contract';
import { toTicks } from '@tickwire/engine';
import type { FindingCode } from './finding.ts';
import { isPrice, type Publication, priceText, timeText } from './life.ts';

const DAY_MS = 86_400_000;
const STALE_MS = 60_000;
const ENTRY_MS = DAY_MS;
const LIFE_MS = 30 * DAY_MS;
const MAX_DIGITS = 12;

export type Fault = (code: FindingCode, message: string) => void;

/** Whether prices can be reckoned with at all; the rest of the rules presume it. */
export function checkPrices(r: PublishedRecord, fault: Fault): boolean {
  const { digits, pip_size: pip } = r.instrument;
  if (digits < 0 || digits > MAX_DIGITS || !(pip > 0)) {
    fault('price', `an instrument of ${digits} digits and a pip of ${pip} cannot be`);
    return false;
  }
  const { entry, stop_loss, take_profit, quote } = r;
  for (const price of [entry, stop_loss, take_profit, quote.bid, quote.ask]) {
    if (isPrice(price, digits)) continue;
    fault('price', `${price} is no price of ${r.symbol}, which has ${digits} decimals`);
    return false;
  }
  return true;
}

export function checkPublication(p: Publication, fault: Fault): void {
  const { entry, stopLoss, takeProfit, digits } = p;
  const [bid, ask] = [toTicks(p.quote.bid, digits), toTicks(p.quote.ask, digits)];
  const [entrySide, exitSide] = p.buy ? [ask, bid] : [bid, ask];
  const spread = ask - bid;
  const price = (ticks: number): string => priceText(ticks, p);
  const between = (value: number): boolean =>
    p.buy ? stopLoss < value && value < takeProfit : takeProfit < value && value < stopLoss;

  if (spread < 0)
    fault('accepted_quote', `the quote it was accepted against is crossed: ${price(bid)} / ${price(ask)}`);
  if (p.at - p.quote.time > STALE_MS)
    fault('accepted_quote', `the quote it was accepted against was ${p.at - p.quote.time} ms old: 60 s are allowed`);
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
      fault('levels', `${price(level)} is nearer to the entry than the spread, or further than 50 %`);
  }

  const tolerance = Math.max(spread, Math.floor(entrySide / 10_000));
  const market = away <= tolerance;
  const kind = market ? 'market' : entry < entrySide === p.buy ? 'limit' : 'stop';
  if (p.order !== kind) fault('order_kind', `it is a ${kind} entry by its quote, not ${p.order}`);
  const filledAt = market ? entrySide : null;
  if (p.entryPrice !== filledAt)
    fault('order_kind', `entry_price must be ${filledAt === null ? 'left out' : price(filledAt)} by its quote`);
  if (market && !between(exitSide))
    fault('levels', `${price(exitSide)} had reached a level already when it was accepted`);
  checkDeadlines(p, fault);
}

/** `expires_at` itself is not recorded: either both deadlines are it, or both are the usual ones. */
function checkDeadlines({ at, entryDeadline, deadline }: Publication, fault: Fault): void {
  const usual = entryDeadline === at + ENTRY_MS && deadline === at + LIFE_MS;
  const declared = entryDeadline === deadline && at < deadline && deadline <= at + LIFE_MS;
  if (usual || declared) return;
  fault(
    'deadline',
    `deadlines ${timeText(entryDeadline)} and ${timeText(deadline)} do not follow from ${timeText(at)}`,
  );
}

export function checkRules(rules: number, fault: Fault): void {
  if (rules !== RULES_VERSION) fault('rules_version', `rules version ${rules}: only ${RULES_VERSION} is known here`);
}
