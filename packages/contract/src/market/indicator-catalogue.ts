// The table of indicators: inputs with defaults and ranges, lines, and what each means. Validation, `GET /api/indicators`, the
// documents and the engine read it; the engine adds how values are computed.

export interface NumberInput {
  readonly name: string;
  readonly kind: 'integer' | 'number';
  readonly description: string;
  readonly default: number;
  readonly least: number;
  readonly most: number;
}

/** `anchor`: one of the choices, or a time. */
export interface ChoiceInput {
  readonly name: string;
  readonly kind: 'choice' | 'anchor';
  readonly description: string;
  readonly default: string;
  readonly choices: readonly string[];
}

export type IndicatorInput = NumberInput | ChoiceInput;

export interface IndicatorEntry {
  readonly name: string;
  /** Other spellings of the name. */
  readonly aliases?: readonly string[];
  readonly title: string;
  /** What it shows, in one line. */
  readonly description: string;
  /** `x₋₁` is the value of the bar before. */
  readonly formula: string;
  readonly inputs: readonly IndicatorInput[];
  readonly lines: readonly string[];
  /** Drawn over the price, or in a separate pane. */
  readonly pane: 'price' | 'own';
  /** Needs volumes by side, which only instruments with trades have. */
  readonly needsTrades?: boolean;
}

const PRICE_SOURCES = ['open', 'high', 'low', 'close', 'hl2', 'hlc3', 'ohlc4'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

const LONGEST = 1_000;

const length = (value: number, name = 'length', description = 'Number of bars', least = 1): NumberInput => ({
  name,
  kind: 'integer',
  description,
  default: value,
  least,
  most: LONGEST,
});

const factor = (value: number, description: string, name = 'factor'): NumberInput => ({
  name,
  kind: 'number',
  description,
  default: value,
  least: 0.01,
  most: 100,
});

const SOURCE: ChoiceInput = {
  name: 'source',
  kind: 'choice',
  description: 'Price of a bar. `hl2`, `hlc3` and `ohlc4` are means',
  default: 'close',
  choices: PRICE_SOURCES,
};

const anchor = (value: 'day' | 'first'): ChoiceInput => ({
  name: 'anchor',
  kind: 'anchor',
  description:
    'Where the total starts: with each `day`, `week` or `month` of the chart, with the `first` bar of the history, or at a time',
  default: value,
  choices: ['day', 'week', 'month', 'first'],
});

const entry = <const E extends IndicatorEntry>(of: E): E => of;

export const INDICATOR_CATALOGUE = [
  entry({
    name: 'sma',
    title: 'Simple moving average',
    description: 'Mean price of the last bars',
    formula: 'Σ price / length, over the last `length` bars',
    inputs: [length(20), SOURCE],
    lines: ['value'],
    pane: 'price',
  }),
  entry({
    name: 'ema',
    title: 'Exponential moving average',
    description: 'Average that weighs recent prices more and never forgets one completely',
    formula: 'ema₋₁ + 2 / (length + 1) × (price − ema₋₁); starts with the mean of the first `length` prices',
    inputs: [length(20), SOURCE],
    lines: ['value'],
    pane: 'price',
  }),
  entry({
    name: 'wma',
    title: 'Weighted moving average',
    description: 'Average in which the newest price weighs `length`, the oldest 1',
    formula: 'Σ k × price(k) / Σ k, k = 1 for the oldest to `length` for the newest bar',
    inputs: [length(20), SOURCE],
    lines: ['value'],
    pane: 'price',
  }),
  entry({
    name: 'vwap',
    title: 'Volume-weighted average price',
    description: 'Average price by volume since the anchor',
    formula: 'Σ (hlc3 × volume) / Σ volume since the anchor',
    inputs: [anchor('day')],
    lines: ['value'],
    pane: 'price',
  }),
  entry({
    name: 'rsi',
    title: 'Relative strength index',
    description: 'Share of gains in all changes of the price, 0 to 100',
    formula: '100 × gain / (gain + loss); both are Wilder averages of the changes between bars',
    inputs: [length(14), SOURCE],
    lines: ['value'],
    pane: 'own',
  }),
  entry({
    name: 'macd',
    title: 'Moving average convergence divergence',
    description: 'Distance of a fast from a slow average, and its own average',
    formula: 'macd = ema(fast) − ema(slow); signal = ema of macd; histogram = macd − signal',
    inputs: [
      length(12, 'fast', 'Bars of the fast average'),
      length(26, 'slow', 'Bars of the slow average'),
      length(9, 'signal', 'Bars of the signal line'),
      SOURCE,
    ],
    lines: ['macd', 'signal', 'histogram'],
    pane: 'own',
  }),
  entry({
    name: 'bollinger',
    aliases: ['bbands', 'bb'],
    title: 'Bollinger bands',
    description: 'Moving average with bands at a multiple of the standard deviation',
    formula: 'middle = sma; upper, lower = middle ± factor × stddev',
    inputs: [length(20), factor(2, 'Width in standard deviations'), SOURCE],
    lines: ['middle', 'upper', 'lower'],
    pane: 'price',
  }),
  entry({
    name: 'atr',
    title: 'Average true range',
    description: 'Average range of a bar, gaps included',
    formula: 'Wilder average of max(high − low, |high − close₋₁|, |low − close₋₁|)',
    inputs: [length(14)],
    lines: ['value'],
    pane: 'own',
  }),
  entry({
    name: 'keltner',
    title: 'Keltner channels',
    description: 'Exponential average with bands at a multiple of the average true range',
    formula: 'middle = ema; upper, lower = middle ± factor × atr(atr_length)',
    inputs: [
      length(20, 'length', 'Bars of the exponential average'),
      length(10, 'atr_length', 'Bars of the average true range'),
      factor(2, 'Width in average true ranges'),
      SOURCE,
    ],
    lines: ['middle', 'upper', 'lower'],
    pane: 'price',
  }),
  entry({
    name: 'donchian',
    title: 'Donchian channels',
    description: 'Highest high and lowest low of the last bars',
    formula: 'upper = highest high; lower = lowest low; middle = (upper + lower) / 2',
    inputs: [length(20)],
    lines: ['middle', 'upper', 'lower'],
    pane: 'price',
  }),
  entry({
    name: 'supertrend',
    title: 'Supertrend',
    description:
      'Trailing stop that turns with a close beyond it; `direction` is 1 in a rising trend and −1 in a falling one',
    formula: 'hl2 ∓ factor × atr(length); moves only towards the price until a close beyond it turns the trend',
    inputs: [length(10), factor(3, 'Distance in average true ranges')],
    lines: ['value', 'direction'],
    pane: 'price',
  }),
  entry({
    name: 'stochastic',
    aliases: ['stoch'],
    title: 'Stochastic oscillator',
    description: 'Position of the close in the range of the last bars, 0 to 100, smoothed',
    formula: 'k = sma(smooth) of 100 × (close − lowest low) / (highest high − lowest low); d = sma(signal) of k',
    inputs: [
      length(14),
      length(3, 'smooth', 'Bars over which %K is averaged'),
      length(3, 'signal', 'Bars over which %K is averaged again to %D'),
    ],
    lines: ['k', 'd'],
    pane: 'own',
  }),
  entry({
    name: 'adx',
    aliases: ['dmi'],
    title: 'Average directional index',
    description: 'Strength of a trend, 0 to 100, and directional movement (DMI) up and down',
    formula:
      'plus_di, minus_di = 100 × Wilder average of upward, downward movement / atr; adx = Wilder average of 100 × |plus_di − minus_di| / (plus_di + minus_di)',
    inputs: [length(14, 'length', 'Number of bars', 2)],
    lines: ['adx', 'plus_di', 'minus_di'],
    pane: 'own',
  }),
  entry({
    name: 'cci',
    title: 'Commodity channel index',
    description: 'Distance of the price from its mean, in mean deviations',
    formula: '(hlc3 − mean) / (0.015 × mean absolute deviation) of the last `length` bars',
    inputs: [length(20, 'length', 'Number of bars', 2)],
    lines: ['value'],
    pane: 'own',
  }),
  entry({
    name: 'mfi',
    title: 'Money flow index',
    description: 'Share of turnover in rising bars, 0 to 100',
    formula: '100 × rising / (rising + falling): sums of hlc3 × volume of bars whose hlc3 rose, fell',
    inputs: [length(14)],
    lines: ['value'],
    pane: 'own',
  }),
  entry({
    name: 'obv',
    title: 'On-balance volume',
    description: 'Volume of rising bars minus that of falling ones since the anchor',
    formula: 'obv₋₁ + volume if the close rose, − volume if it fell',
    inputs: [anchor('first')],
    lines: ['value'],
    pane: 'own',
  }),
  entry({
    name: 'ichimoku',
    title: 'Ichimoku cloud',
    description:
      'Middles of ranges. Each line has the value computed at the bar; `offsets` says how many bars later or earlier a chart draws it',
    formula:
      'conversion, base, leading_b = (highest high + lowest low) / 2 of their lengths; leading_a = (conversion + base) / 2; lagging = close',
    inputs: [
      length(9, 'conversion', 'Bars of the conversion line'),
      length(26, 'base', 'Bars of the base line'),
      length(52, 'span', 'Bars of the second leading span'),
      length(26, 'displacement', 'Bars by which spans lead and the close lags, the current one included'),
    ],
    lines: ['conversion', 'base', 'leading_a', 'leading_b', 'lagging'],
    pane: 'price',
  }),
  entry({
    name: 'psar',
    aliases: ['sar', 'parabolic_sar'],
    title: 'Parabolic SAR',
    description: 'Stop that follows a trend faster and faster until the price meets it',
    formula:
      'sar₋₁ + acceleration × (extreme − sar₋₁), not beyond the last two bars; acceleration grows by `step` per new extreme up to `maximum`',
    inputs: [factor(0.02, 'Acceleration per new extreme', 'step'), factor(0.2, 'Largest acceleration', 'maximum')],
    lines: ['value'],
    pane: 'price',
  }),
  entry({
    name: 'williams',
    aliases: ['williams_r', 'willr'],
    title: 'Williams %R',
    description: 'Position of the close in the range of the last bars, −100 to 0',
    formula: '100 × (close − highest high) / (highest high − lowest low)',
    inputs: [length(14)],
    lines: ['value'],
    pane: 'own',
  }),
  entry({
    name: 'roc',
    title: 'Rate of change',
    description: 'Change of the price over the last bars, in percent',
    formula: '100 × (price / price `length` bars earlier − 1)',
    inputs: [length(10), SOURCE],
    lines: ['value'],
    pane: 'own',
  }),
  entry({
    name: 'stddev',
    aliases: ['stdev', 'standard_deviation'],
    title: 'Standard deviation',
    description: 'Spread of the prices of the last bars, as a whole population',
    formula: '√(Σ (price − mean)² / length)',
    inputs: [length(20), SOURCE],
    lines: ['value'],
    pane: 'own',
  }),
  entry({
    name: 'linreg',
    aliases: ['linear_regression'],
    title: 'Linear regression',
    description: 'Value of the least-squares line at the bar, and its slope per bar',
    formula: 'least squares over the last `length` prices',
    inputs: [length(20, 'length', 'Number of bars', 2), SOURCE],
    lines: ['value', 'slope'],
    pane: 'price',
  }),
  entry({
    name: 'pivots',
    aliases: ['pivot', 'pivot_points'],
    title: 'Pivot points',
    description: 'Levels from the high, low and close of the period before, the same for all bars of a period',
    formula:
      'pivot = (H + L + C) / 3; classic: r1, s1 = 2 × pivot − L, − H; r2, s2 = pivot ± (H − L); r3 = H + 2 × (pivot − L), s3 = L − 2 × (H − pivot)',
    inputs: [
      {
        name: 'period',
        kind: 'choice',
        description: 'Period whose high, low and close give the levels of the next one',
        default: 'day',
        choices: ['day', 'week', 'month'],
      },
      {
        name: 'method',
        kind: 'choice',
        description:
          'Formula. `fibonacci`: pivot ± 0.382, 0.618, 1 × (H − L). `camarilla`: C ± 1.1 / 12, 1.1 / 6, 1.1 / 4 × (H − L)',
        default: 'classic',
        choices: ['classic', 'fibonacci', 'camarilla'],
      },
    ],
    lines: ['pivot', 'r1', 'r2', 'r3', 's1', 's2', 's3'],
    pane: 'price',
  }),
  entry({
    name: 'cvd',
    title: 'Cumulative volume delta',
    description:
      'Volume bought at the ask minus volume sold at the bid since the anchor. Only for instruments with trades',
    formula: 'Σ (ask volume − bid volume) since the anchor',
    inputs: [anchor('day')],
    lines: ['value'],
    pane: 'own',
    needsTrades: true,
  }),
] as const satisfies readonly IndicatorEntry[];

export type IndicatorName = (typeof INDICATOR_CATALOGUE)[number]['name'];
/** An indicator with its inputs, in order or by name: `rsi(14)`, `rsi(source=hl2)`. */
export type IndicatorText = IndicatorName | `${IndicatorName}(${string})`;
export const INDICATOR_NAMES: readonly IndicatorName[] = INDICATOR_CATALOGUE.map(({ name }) => name);
