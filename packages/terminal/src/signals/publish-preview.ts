// The preview of a new signal in words: how the market would take it now, what it costs and what it pays.
import { NO_VALUE, price, setNumber } from '../ui/format.ts';
import { SILENT_AFTER_MS, spanOf } from '../ui/price-age.ts';
import { inPips } from './labels.ts';
import type { InstrumentMarket } from './levels.ts';
import type { ExpectedTrade, TicketCheck } from './ticket.ts';

export const PREVIEW = ['Market', 'Order', 'Expected fill', 'Spread', 'Risk', 'Reward', 'Reward/risk'] as const;

/** For the rank, R is never less than this many spreads. */
const RANK_SPREADS = 10;

const inR = (value: number): string => `${setNumber(value.toFixed(2))} R`;

/** The values of the preview, in the order of `PREVIEW`. */
export function previewTexts(check: TicketCheck, market: InstrumentMarket | null): readonly string[] {
  const at = (value: number): string => price(value, market?.digits ?? 0);
  const { expected } = check;
  const unit = market?.unit ?? 'pips';
  return [
    market ? `${at(market.bid)} / ${at(market.ask)}` : 'no price yet',
    orderText(check, unit),
    expected ? fillText(check, expected, at) : NO_VALUE,
    market ? spreadText(expected, market) : NO_VALUE,
    expected ? `${inPips(expected.toStop)} ${unit} to the stop · ${inR(expected.toStop * expected.r)}` : NO_VALUE,
    expected ? rewardText(expected, unit) : NO_VALUE,
    ratioText(expected),
  ];
}

function orderText({ order, tolerance }: TicketCheck, unit: string): string {
  if (order === null) return NO_VALUE;
  if (order === 'limit') return 'limit order: waits for a better price than now';
  if (order === 'stop') return 'stop order: waits until the market reaches it';
  const near = tolerance === null ? '' : `, within ${inPips(tolerance)} ${unit} of the market`;
  return `market order${near}: the next quote fills it`;
}

function fillText(
  { order, worstFill }: TicketCheck,
  { fill, from }: ExpectedTrade,
  at: (value: number) => string,
): string {
  if (worstFill !== null) return `${at(fill)} or worse, up to ${at(worstFill)}; beyond that, it ends unfilled`;
  if (order === 'limit') return `${at(fill)}, never better`;
  if (order === 'stop') return `${at(fill)} or worse`;
  return from === fill
    ? `${at(fill)} or worse`
    : `${at(fill)} or worse; results count from your entry, ${at(from)}, which is worse`;
}

function spreadText(expected: ExpectedTrade | null, { bid, ask, digits, pipSize, unit }: InstrumentMarket): string {
  const cost = `${price(ask - bid, digits)} · ${inPips((ask - bid) / pipSize)} ${unit}`;
  return expected ? `${cost} · ${inR(expected.spread * expected.r)}` : cost;
}

function rewardText({ toTargets, reward, r }: ExpectedTrade, unit: string): string {
  if (reward === null) return NO_VALUE;
  const distances = toTargets.map((each) => inPips(each!)).join(' / ');
  return `${distances} ${unit} to the ${toTargets.length > 1 ? 'targets' : 'target'} · ${inR(reward * r)}`;
}

export function ratioText(expected: ExpectedTrade | null): string {
  const ratio = expected?.rewardToRisk ?? null;
  return ratio === null ? NO_VALUE : `${setNumber(ratio.toFixed(2))} : 1`;
}

/** What the user should know before publishing, besides the problems. `ageMs`: of the last quote. */
export function remarksOn({ expected }: TicketCheck, market: InstrumentMarket | null, ageMs: number | null): string[] {
  const remarks: string[] = [];
  if (ageMs !== null && ageMs >= SILENT_AFTER_MS)
    remarks.push(`The last quote is ${spanOf(ageMs)} old. The service accepts no signal until a new one comes.`);
  if (!expected || !market) return remarks;
  if (expected.reward !== null && expected.reward <= 0)
    remarks.push('The expected fill is at or beyond the target: even a target hit would not pay.');
  else if (expected.toTargets.some((distance) => distance !== null && distance <= 0))
    remarks.push('The expected fill is at or beyond a target.');
  if (expected.r * expected.spread * RANK_SPREADS > 1)
    remarks.push(`The stop is closer than ${RANK_SPREADS} spreads. For the rank, R is measured with ${RANK_SPREADS}.`);
  return remarks;
}
