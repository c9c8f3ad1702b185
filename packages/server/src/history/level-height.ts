// The height of price levels: which ones a request may have, and which one would fit if there are too many levels.
import { MAX_PROFILE_LEVELS } from '@tickwire/contract';
import {
  fitsDigits,
  fromTicks,
  type InstrumentSpec,
  type MinuteHistogram,
  recordedLevelTicks,
  shownLevelTicks,
  toTicks,
  type VolumeLevel,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';

/** Heights are suggested as multiples of the requested one. */
const STEPS = [2, 5, 10];

/** The height in ticks that was requested, or that of the instrument. Throws a `ServiceError` with the allowed heights. */
export function levelTicksOf(spec: InstrumentSpec, level: number | undefined): number {
  if (level === undefined) return shownLevelTicks(spec);
  const ticks = toTicks(level, spec.digits);
  const recorded = recordedLevelTicks(spec);
  if (fitsDigits(level, spec.digits) && ticks > 0 && ticks % recorded === 0) return ticks;
  throw wrongLevel(level, `a multiple of ${fromTicks(recorded, spec.digits)} for ${spec.symbol}`);
}

/** Levels of a minute in ticks of the instrument, which may have got more digits since. */
export function* levelsOf(
  histogram: MinuteHistogram,
  spec: InstrumentSpec,
  levelTicks: number,
): Generator<VolumeLevel> {
  const { digits, levelTicks: recorded, levels } = histogram;
  const shift = 10 ** Math.abs(spec.digits - digits);
  const fits = digits <= spec.digits ? levelTicks % (recorded * shift) === 0 : (levelTicks * shift) % recorded === 0;
  if (!fits)
    throw wrongLevel(
      fromTicks(levelTicks, spec.digits),
      `a multiple of ${fromTicks(recorded, digits)}, because a part of the range was recorded with this height`,
    );
  for (const { ticks, buy, sell } of levels)
    yield { ticks: digits <= spec.digits ? ticks * shift : ticks / shift, buy, sell };
}

/** Throws a `ServiceError` with a height that would fit if there are more levels than one answer may have. */
export function limitLevels(spec: InstrumentSpec, levelTicks: number, levels: readonly VolumeLevel[]): void {
  if (levels.length <= MAX_PROFILE_LEVELS) return;
  for (let factor = 1; ; factor *= 10) {
    for (const step of STEPS) {
      const higher = levelTicks * factor * step;
      const count = new Set(levels.map(({ ticks }) => Math.floor(ticks / higher))).size;
      if (count > MAX_PROFILE_LEVELS) continue;
      const [requested, fitting] = [fromTicks(levelTicks, spec.digits), fromTicks(higher, spec.digits)];
      throw wrongLevel(
        requested,
        `at least ${fitting} for this range: it has ${levels.length} levels of ${requested}, and at most ${MAX_PROFILE_LEVELS} are returned`,
      );
    }
  }
}

function wrongLevel(level: number, allowed: string): ServiceError {
  return new ServiceError('invalid_parameter', `level must be ${allowed}`, {
    errors: [{ parameter: 'level', value: String(level), allowed }],
  });
}
