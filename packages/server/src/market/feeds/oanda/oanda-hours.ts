// When OANDA quotes its contracts: for these calendars it has different hours. Its other contracts follow the exchange.
import type { HoursName, InstrumentSpec } from '@tickwire/engine';

const OWN_HOURS: Partial<Record<HoursName, HoursName>> = {
  forex: 'oanda-forex',
  metals: 'oanda-metals',
  'us-index': 'oanda-us-index',
  'japan-index': 'oanda-japan-index',
};

export const withOandaHours = (instruments: readonly InstrumentSpec[]): readonly InstrumentSpec[] =>
  instruments.map((spec) => ({ ...spec, hours: OWN_HOURS[spec.hours] ?? spec.hours }));
