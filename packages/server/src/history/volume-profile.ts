// `GET /api/profile/{symbol}`: volume at price of a time range.
import { iso, MAX_PROFILE_DAYS, type Profile, type ProfileQuery } from '@tickwire/contract';
import {
  DAY_MS,
  fromTicks,
  type InstrumentSpec,
  MINUTE_MS,
  roundSize,
  SIDES_BY_QUOTE_RULE,
  SIDES_BY_TICK_RULE,
  SIDES_OF_FEED,
  VolumeByPrice,
  type VolumeLevel,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { levelsOf, levelTicksOf, limitLevels } from './level-height.ts';
import { longerBars, minuteVolumes, startOfMinute, type VolumeSources, volumeBeyond } from './recorded-volume.ts';

const FIVE_MINUTES = 5 * MINUTE_MS;

/** `now` in epoch milliseconds of the market. */
export async function profileOf(
  sources: VolumeSources,
  spec: InstrumentSpec,
  query: ProfileQuery,
  now: number,
): Promise<Profile> {
  const levelTicks = levelTicksOf(spec, query.level);
  const to = query.to ?? Math.floor(now);
  const from = query.from ?? to - (to % DAY_MS);
  checkRange(from, to);
  const range = { from: startOfMinute(from), to: startOfMinute(to) };
  // Before the minutes: what trades meanwhile then never looks like a missing minute.
  const longer = await longerBars(sources, spec.symbol, range);
  const byPrice = new VolumeByPrice(levelTicks);
  const volumes = new Map<number, number>();
  let [sides, uncovered] = [0, 0];
  let coveredFrom: number = from;
  for await (const { time, histogram, volume } of minuteVolumes(sources, spec, range)) {
    const five = time - (time % FIVE_MINUTES);
    volumes.set(five, (volumes.get(five) ?? 0) + volume);
    if (!histogram) {
      uncovered += volume;
      coveredFrom = time + MINUTE_MS;
      continue;
    }
    sides |= histogram.sides;
    for (const level of levelsOf(histogram, spec, levelTicks)) byPrice.add(level);
  }
  for (const { time, end, volume } of longer) {
    let minutes = 0;
    for (let five: number = time; five < end; five += FIVE_MINUTES) minutes += volumes.get(five) ?? 0;
    const missing = volumeBeyond(volume, minutes);
    if (missing === 0) continue;
    uncovered += missing;
    coveredFrom = Math.max(coveredFrom, end);
  }
  const profile = byPrice.profile();
  if (profile) limitLevels(spec, levelTicks, profile.levels);
  const priceOf = (ticks: number): number => fromTicks(ticks, spec.digits);
  return {
    symbol: spec.symbol,
    level: priceOf(levelTicks),
    side_method: sideMethodOf(sides),
    from: iso(from),
    to: iso(to),
    volume: profile?.volume ?? 0,
    delta: profile?.delta ?? 0,
    poc: profile ? priceOf(profile.pointOfControl) : null,
    value_area: profile && { low: priceOf(profile.valueArea.low), high: priceOf(profile.valueArea.high) },
    levels: priceLevels(profile?.levels ?? [], spec),
    uncovered_volume: roundSize(uncovered),
    covered_from: iso(coveredFrom),
  };
}

export const priceLevels = (levels: readonly VolumeLevel[], { digits }: InstrumentSpec): Profile['levels'] =>
  levels.map(({ ticks, buy, sell }) => ({ price: fromTicks(ticks, digits), buy, sell }));

/** `sides`: bits of all minutes. */
export function sideMethodOf(sides: number): Profile['side_method'] {
  switch (sides) {
    case 0:
      return null;
    case SIDES_OF_FEED:
      return 'feed';
    case SIDES_BY_QUOTE_RULE:
      return 'quote_rule';
    case SIDES_BY_TICK_RULE:
      return 'tick_rule';
    default:
      return 'mixed';
  }
}

function checkRange(from: number, to: number): void {
  if (from > to) {
    const allowed = 'a time after from';
    throw new ServiceError('invalid_parameter', `to must be ${allowed}`, {
      errors: [{ parameter: 'to', value: iso(to), allowed }],
    });
  }
  if (to - from <= MAX_PROFILE_DAYS * DAY_MS) return;
  const allowed = `at most ${MAX_PROFILE_DAYS} days before to: ${iso(to - MAX_PROFILE_DAYS * DAY_MS)} would fit`;
  throw new ServiceError('invalid_parameter', `from must be ${allowed}`, {
    errors: [{ parameter: 'from', value: iso(from), allowed }],
  });
}
