// Whether a condition can be judged at all.
import {
  type AlertCondition,
  conditionsOf,
  IndicatorFault,
  isState,
  parseIndicator,
  type SimpleCondition,
  SYMBOLLESS,
} from '@tickwire/contract';
import { definitionOf } from '../market/indicators/indicators.ts';
import type { InstrumentSpec } from '../market/instrument.ts';
import { lineOf } from './indicator-lines.ts';

/**
 * Why a condition cannot be judged, in one sentence; `null` if it can. `instrument` is that of the alert, `hasTrades` whether
 * its feed delivers trades.
 */
export function checkCondition(
  condition: AlertCondition,
  instrument: InstrumentSpec | null,
  hasTrades = true,
): string | null {
  const conditions = conditionsOf(condition);
  const needing = instrument ? undefined : conditions.find(({ type }) => !SYMBOLLESS.has(type));
  if (needing) return `The condition ${needing.type} needs a symbol.`;
  if (conditions.filter((each) => !isState(each)).length > 1)
    return 'At most one of the combined conditions may be a moment. The others must be states, such as a price with is.';
  for (const each of conditions) {
    const fault = each.type === 'indicator' ? indicatorFault(each) : null;
    if (fault) return fault;
    if (!hasTrades && needsTrades(each))
      return `The feed of ${instrument?.symbol} has no trades, which the condition ${each.type} needs.`;
  }
  return null;
}

function needsTrades(condition: SimpleCondition): boolean {
  switch (condition.type) {
    case 'volume':
    case 'delta':
    case 'absorption':
      return true;
    case 'price':
    case 'move':
      return condition.side === 'trade';
    case 'indicator':
      return [condition.indicator, condition.other].some(
        (text) => text !== undefined && definitionOf(parseIndicator(text)).needsTrades === true,
      );
    default:
      return false;
  }
}

function indicatorFault(condition: Extract<SimpleCondition, { type: 'indicator' }>): string | null {
  const { indicator, line, other, other_line } = condition;
  return (
    lineFault(indicator, line, 'line') ?? (other === undefined ? null : lineFault(other, other_line, 'other_line'))
  );
}

function lineFault(text: string, line: string | undefined, field: string): string | null {
  try {
    if (lineOf(text, line)) return null;
  } catch (error) {
    if (error instanceof IndicatorFault) return `${error.message}.`;
    throw error;
  }
  const { name } = parseIndicator(text);
  const { lines } = definitionOf({ name });
  const allowed = `its lines are ${lines.join(', ')}`;
  return line === undefined
    ? `${field} is needed for ${name}: ${allowed}.`
    : `${name} has no line ${line}: ${allowed}.`;
}
