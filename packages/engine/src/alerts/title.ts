// One plain English line about a firing.
import {
  type AlertCondition,
  type CombinedCondition,
  isState,
  parseIndicator,
  plural,
  type SimpleCondition,
} from '@tickwire/contract';
import type { InstrumentSpec } from '../market/instrument.ts';
import type { Firing } from './alert.ts';

/** Decimals of a price if the instrument is not known. */
const DEFAULT_DIGITS = 5;

/** For example `EURUSD bid crossed above 1.20000`. */
export function titleOf(firing: Firing, condition: AlertCondition, instrument: InstrumentSpec | null): string {
  const digits = instrument?.digits ?? DEFAULT_DIGITS;
  const line = condition.type === 'all' ? combined(firing, condition, digits) : happened(firing, condition, digits);
  return firing.symbol === null ? capitalised(line) : `${firing.symbol} ${line}`;
}

const capitalised = (line: string): string => line.charAt(0).toUpperCase() + line.slice(1);

function combined(firing: Firing, { of }: CombinedCondition, digits: number): string {
  const moment = of.find((each) => !isState(each));
  const states = of.filter((each) => each !== moment).map((each) => holds(each, digits));
  return moment ? `${happened(firing, moment, digits)} while ${states.join(' and ')}` : states.join(' and ');
}

function happened(firing: Firing, condition: SimpleCondition, digits: number): string {
  const { detail } = firing;
  switch (condition.type) {
    case 'price': {
      if (condition.is) return `${condition.side} went ${condition.is} ${condition.level.toFixed(digits)}`;
      const direction = detail?.kind === 'crossing' ? detail.direction : (condition.cross ?? condition.touch);
      if (condition.touch)
        return `${condition.side} touched ${condition.level.toFixed(digits)} from ${direction === 'above' ? 'below' : 'above'}`;
      return `${condition.side} crossed ${direction} ${condition.level.toFixed(digits)}`;
    }
    case 'move': {
      const direction = detail?.kind === 'move' ? detail.direction : condition.direction;
      const to = firing.price === null ? '' : ` to ${firing.price.toFixed(digits)}`;
      return `${condition.side} moved ${direction} ${condition.percent} % within ${plural(condition.minutes, 'minute')}${to}`;
    }
    case 'bar_close':
      return `${condition.interval} bar closed ${condition.close} ${condition.level.toFixed(digits)}`;
    case 'indicator': {
      const direction = detail?.kind === 'crossing' ? detail.direction : (condition.cross ?? condition.is);
      const verb = condition.is ? 'went' : 'crossed';
      return `${lineText(condition.indicator, condition.line)} ${verb} ${direction} ${comparedWith(condition)} on ${condition.interval} bars`;
    }
    case 'trend_line': {
      const direction = detail?.kind === 'crossing' ? detail.direction : condition.cross;
      const at = firing.price === null ? '' : ` at ${firing.price.toFixed(digits)}`;
      return `${condition.interval} bar closed ${direction} the trend line${at}`;
    }
    case 'absorption':
      return detail?.kind === 'absorption' && detail.side === 'sell'
        ? 'sellers began to absorb buying'
        : 'buyers began to absorb selling';
    case 'headline':
      return detail?.kind === 'headline' ? `headline: ${detail.title}` : 'headline';
    case 'signal':
      return detail?.kind === 'signal' ? `signal of ${detail.publisher} was ${detail.happening}` : 'signal';
    case 'calendar': {
      const title = detail?.kind === 'calendar' ? detail.title : 'calendar event';
      const minutes = detail?.kind === 'calendar' ? Math.ceil((detail.at - firing.time) / 60_000) : condition.minutes;
      return minutes > 0 ? `${title} in ${plural(minutes, 'minute')}` : `${title} now`;
    }
    case 'stale':
      return `has had no quote for ${plural(condition.seconds, 'second')}`;
    case 'market':
      return condition.state === 'opens' ? 'market opened' : 'market closed';
    default:
      return holds(condition, digits);
  }
}

/** A state that holds. */
function holds(condition: SimpleCondition, digits: number): string {
  switch (condition.type) {
    case 'price':
      return `${condition.side} is ${condition.is} ${condition.level.toFixed(digits)}`;
    case 'indicator':
      return `${lineText(condition.indicator, condition.line)} is ${condition.is} ${comparedWith(condition)} on ${condition.interval} bars`;
    case 'volume':
      return `volume of the ${condition.interval} bar is above ${condition.above}`;
    case 'delta': {
      const [side, level] =
        condition.above === undefined ? ['below', condition.below] : (['above', condition.above] as const);
      return `delta of the ${condition.interval} bar is ${side} ${level}`;
    }
    case 'spread':
      return `spread is above ${condition.above}`;
    case 'stale':
      return `there has been no quote for ${plural(condition.seconds, 'second')}`;
    default:
      return condition.type;
  }
}

const lineText = (indicator: string, line: string | undefined): string => {
  const { text } = parseIndicator(indicator);
  return line === undefined || line === 'value' ? text : `${line} of ${text}`;
};

const comparedWith = ({ value, other, other_line }: Extract<SimpleCondition, { type: 'indicator' }>): string =>
  other === undefined ? String(value) : lineText(other, other_line);
