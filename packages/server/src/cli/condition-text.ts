// Conditions of alerts in a few words, for tables.
import { type AlertCondition, conditionsOf, type SimpleCondition } from '@tickwire/contract';

export const conditionText = (condition: AlertCondition): string => conditionsOf(condition).map(textOf).join(' and ');

function textOf(condition: SimpleCondition): string {
  switch (condition.type) {
    case 'price': {
      const { cross, touch, is, level, side } = condition;
      if (is !== undefined) return `${side} is ${is} ${level}`;
      return cross !== undefined ? `${side} crosses ${way(cross)}${level}` : `${side} touches ${way(touch)}${level}`;
    }
    case 'move': {
      const { side, direction, percent, minutes } = condition;
      return `${side} moves ${direction === 'either' ? '' : `${direction} `}${percent} % in ${minutes} min`;
    }
    case 'bar_close':
      return `${condition.interval} bar closes ${condition.close} ${condition.level}`;
    case 'indicator': {
      const { indicator, line, interval, cross, is, value, other, other_line } = condition;
      const against = value ?? `${other}${other_line === undefined ? '' : ` ${other_line}`}`;
      const what = `${interval} ${indicator}${line === undefined ? '' : ` ${line}`}`;
      return is === undefined ? `${what} crosses ${way(cross)}${against}` : `${what} is ${is} ${against}`;
    }
    case 'volume':
      return `${condition.interval} volume is above ${condition.above}`;
    case 'delta':
      return condition.above === undefined
        ? `${condition.interval} delta is below ${condition.below}`
        : `${condition.interval} delta is above ${condition.above}`;
    case 'absorption':
      return `absorption, ${condition.side} side`;
    case 'spread':
      return `spread is above ${condition.above}`;
    case 'headline': {
      const { category, sentiment, words } = condition;
      const details = [category, sentiment, words?.map((word) => `"${word}"`).join(' or ')].filter(Boolean);
      return ['headline', ...details].join(', ');
    }
    case 'signal':
      return `signal ${condition.events.join(', ')}${condition.publisher === undefined ? '' : ` by ${condition.publisher}`}`;
    case 'calendar': {
      const { minutes, impact, country } = condition;
      return `event of ${impact} impact${country === undefined ? '' : ` in ${country}`}, ${minutes} min before`;
    }
    case 'stale':
      return `no quote for ${condition.seconds} s`;
    case 'market':
      return `market ${condition.state}`;
  }
}

const way = (direction: 'above' | 'below' | 'either' | undefined): string =>
  direction === undefined || direction === 'either' ? '' : `${direction} `;
