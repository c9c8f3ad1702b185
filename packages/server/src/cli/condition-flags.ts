// Conditions of alerts as flags of `tickwire alerts create`. One flag says what kind of condition it is, others belong to it.
import type { ConditionType } from '@tickwire/contract';
import { UsageError } from './arguments.ts';

type Flags = Readonly<Record<string, string | undefined>>;

export const CONDITION_HELP = `Conditions:
  --cross above|below|either --level PRICE [--side bid|ask|trade]     the price crosses a level
  --touch above|below|either --level PRICE [--side …]                 the price reaches a level
  --is above|below --level PRICE [--side …]                           the price is beyond a level
  --move PERCENT --direction up|down|either --minutes N [--side …]    the price moves by a percentage
  --close above|below --level PRICE --interval 1h                     a bar closes beyond a level
  --indicator "rsi(14)" [--line NAME] --interval 1h --cross|--is …    an indicator crosses or is beyond
      --value NUMBER | --other "sma(50)" [--other-line NAME]          … a value or another indicator
  --volume-above N --interval 5m                                      volume of the forming bar
  --delta-above N | --delta-below N, --interval 5m                    delta of the forming bar
  --absorption buy|sell|either                                        a passive side holds the price
  --spread-above PRICE                                                the spread is too wide
  --headline [--category …] [--sentiment …] [--words "a,b"]           a headline is published
  --signal published,filled,closed [--publisher NAME]                 something happens to a signal
  --event-in MINUTES [--impact low|medium|high] [--country US]        an economic event is due
  --stale SECONDS                                                     no quote although the market is open
  --market opens|closes                                               the market opens or closes
  --condition JSON                                                    any condition, also several: {"type":"all","of":[…]}
Negative numbers are written as --value=-100.`;

/** The flags that belong to each kind of condition. The first one that is given and names a kind decides. */
const FLAGS_OF: readonly (readonly [kind: ConditionType, selector: string, ...others: string[]])[] = [
  ['indicator', 'indicator', 'line', 'interval', 'cross', 'is', 'value', 'other', 'other-line'],
  ['move', 'move', 'direction', 'minutes', 'side'],
  ['bar_close', 'close', 'level', 'interval'],
  ['volume', 'volume-above', 'interval'],
  ['delta', 'delta-above', 'interval'],
  ['delta', 'delta-below', 'interval'],
  ['absorption', 'absorption'],
  ['spread', 'spread-above'],
  ['headline', 'headline', 'category', 'sentiment', 'words'],
  ['signal', 'signal', 'publisher'],
  ['calendar', 'event-in', 'impact', 'country'],
  ['stale', 'stale'],
  ['market', 'market'],
  ['price', 'cross', 'level', 'side'],
  ['price', 'touch', 'level', 'side'],
  ['price', 'is', 'level', 'side'],
];

/** Flags with a value; `headline` is a switch. */
export const CONDITION_FLAGS = [
  'condition',
  ...new Set(FLAGS_OF.flatMap(([, ...flags]) => flags).filter((flag) => flag !== 'headline')),
];

/** The condition as it is sent. The service checks the values. */
export function conditionOf(values: Flags, on: ReadonlySet<string>): unknown {
  const given: Flags = { ...values, ...(on.has('headline') && { headline: '' }) };
  const named = [...CONDITION_FLAGS, 'headline'].filter((flag) => given[flag] !== undefined);
  if (given.condition !== undefined) {
    if (named.length > 1) throw new UsageError(`--condition and --${named[1]} exclude each other`);
    try {
      return JSON.parse(given.condition);
    } catch {
      throw new UsageError('--condition must be JSON, such as {"type":"price","cross":"above","level":1.2}');
    }
  }
  const found = FLAGS_OF.find(([, selector]) => given[selector] !== undefined);
  if (!found) throw new UsageError('the condition is missing, such as --cross above --level 1.2');
  const [kind, ...allowed] = found;
  const other = named.find((flag) => !allowed.includes(flag));
  if (other !== undefined) throw new UsageError(`--${other} does not belong to --${found[1]}`);
  const condition = readCondition(kind, given);
  return Object.fromEntries(Object.entries(condition).filter(([, value]) => value !== undefined));
}

function readCondition(kind: ConditionType, given: Flags): Readonly<Record<string, unknown>> {
  const number = (flag: string): number | undefined => numberIn(flag, given[flag]);
  const list = (flag: string): string[] | undefined => given[flag]?.split(',').map((each) => each.trim());
  const { level, side } = { level: number('level'), side: given.side };
  switch (kind) {
    case 'price':
      return { type: kind, cross: given.cross, touch: given.touch, is: given.is, level, side };
    case 'move':
      return {
        type: kind,
        percent: number('move'),
        direction: given.direction ?? 'either',
        minutes: number('minutes'),
        side,
      };
    case 'bar_close':
      return { type: kind, interval: given.interval, close: given.close, level };
    case 'indicator':
      return {
        type: kind,
        indicator: given.indicator,
        line: given.line,
        interval: given.interval,
        cross: given.cross,
        is: given.is,
        value: number('value'),
        other: given.other,
        other_line: given['other-line'],
      };
    case 'volume':
      return { type: kind, interval: given.interval, above: number('volume-above') };
    case 'delta':
      return { type: kind, interval: given.interval, above: number('delta-above'), below: number('delta-below') };
    case 'absorption':
      return { type: kind, side: given.absorption };
    case 'spread':
      return { type: kind, above: number('spread-above') };
    case 'headline':
      return { type: kind, category: given.category, sentiment: given.sentiment, words: list('words') };
    case 'signal':
      return { type: kind, events: list('signal'), publisher: given.publisher };
    case 'calendar':
      return { type: kind, minutes: number('event-in'), impact: given.impact, country: given.country };
    case 'stale':
      return { type: kind, seconds: number('stale') };
    case 'market':
      return { type: kind, state: given.market };
  }
}

function numberIn(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new UsageError(`--${flag} is ${JSON.stringify(text)}, but must be a number`);
}
