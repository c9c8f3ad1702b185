// Headline texts of stories. Every kind has two sets of templates, for even and odd days: a headline just after midnight
// never repeats one from just before, though the days are generated independently.
import { MINUTE_MS } from '@tickwire/engine';
import { capitalize, formatClock, formatPercent, formatPrice, formatSpan, subjectOf } from './headline-format.ts';
import type {
  AfterStory,
  AheadStory,
  Direction,
  DollarStory,
  ExtremeStory,
  MoveStory,
  PressureStory,
  QuietStory,
  Story,
} from './story.ts';

type Templates<S> = readonly [even: readonly ((story: S) => string)[], odd: readonly ((story: S) => string)[]];

const by =
  (direction: Direction) =>
  <T>(up: T, down: T): T =>
    direction > 0 ? up : down;
const directionOf = (percent: number): Direction => (percent > 0 ? 1 : -1);

const parts = (story: MoveStory) => {
  const { instrument, price, percent, minutes, multiple, related } = story;
  const pick = by(directionOf(percent));
  const verb =
    multiple < 1.8 ? pick('edges up', 'eases') : multiple < 2.6 ? pick('climbs', 'falls') : pick('surges', 'tumbles');
  return {
    subject: subjectOf(instrument.spec),
    size: formatPercent(percent),
    price: formatPrice(price, instrument.spec),
    span: formatSpan(minutes),
    verb,
    pick,
    why: related ? relatedText(related) : '',
  };
};

const relatedText = ({ what, direction }: NonNullable<MoveStory['related']>): string =>
  what === 'dollar'
    ? by(direction)(' as dollar firms', ' as dollar slips')
    : by(direction)(' as most coins rise', ' as most coins fall');

const MOVE: Templates<MoveStory & { time: number }> = [
  [
    (story) => {
      const { subject, verb, size, price, span, why } = parts(story);
      return `${subject} ${verb} ${size} to ${price} in ${span}${why}`;
    },
    (story) => {
      const { subject, size, price, span, pick } = parts(story);
      return `${pick('Buyers', 'Sellers')} in charge of ${subject}: ${pick('gain', 'loss')} of ${size} over ${span}, last at ${price}`;
    },
    (story) => {
      const { subject, size, price, pick } = parts(story);
      const since = formatClock(story.time - story.minutes * MINUTE_MS);
      return `${subject} trades at ${price}, ${size} ${pick('above', 'below')} its ${since} UTC level`;
    },
    (story) => {
      const { subject, size, price, span, pick, why } = parts(story);
      return `Traders push ${subject} ${pick('up', 'down')} ${size} within ${span}${why}; quotes near ${price}`;
    },
  ],
  [
    (story) => {
      const { subject, size, price, span, pick } = parts(story);
      return `${pick('Rally', 'Retreat')} of ${size} takes ${subject} to ${price} inside ${span}`;
    },
    (story) => {
      const { subject, size, price, pick } = parts(story);
      const since = formatClock(story.time - story.minutes * MINUTE_MS);
      return `${pick('Gains', 'Losses')} since ${since} UTC leave ${subject} ${size} ${pick('higher', 'lower')} at ${price}`;
    },
    (story) => {
      const { subject, size, price, pick, why } = parts(story);
      const since = formatClock(story.time - story.minutes * MINUTE_MS);
      return `${subject} market ${pick('bid', 'offered')}${why}: ${size} ${pick('higher', 'lower')} since ${since} UTC, now ${price}`;
    },
    (story) => {
      const { subject, size, price, span, pick } = parts(story);
      return `${pick('Demand', 'Supply')} ${pick('outweighs supply', 'outweighs demand')} in ${subject}, which ${pick('adds', 'loses')} ${size} over ${span} to ${price}`;
    },
  ],
];

const facts = ({ instrument, price }: ExtremeStory | PressureStory | QuietStory): [subject: string, price: string] => [
  subjectOf(instrument.spec),
  formatPrice(price, instrument.spec),
];

const EXTREME: Templates<ExtremeStory> = [
  [
    (story) => `${facts(story)[0]} sets new ${by(story.direction)('high', 'low')} for the day at ${facts(story)[1]}`,
    (story) =>
      `${facts(story)[0]} at ${facts(story)[1]}, ${by(story.direction)('strongest', 'weakest')} since midnight UTC`,
    (story) =>
      `Earlier ${by(story.direction)('peak', 'trough')} gives direction as ${facts(story)[0]} reaches ${facts(story)[1]}`,
  ],
  [
    (story) => `Fresh session ${by(story.direction)('high', 'low')} for ${facts(story)[0]}: ${facts(story)[1]}`,
    (story) =>
      `${facts(story)[0]} breaks ${by(story.direction)('above', 'below')} its range of the day and trades at ${facts(story)[1]}`,
    (story) =>
      `No price today was ${by(story.direction)('higher', 'lower')}: ${facts(story)[0]} touches ${facts(story)[1]}`,
  ],
];

const PRESSURE: Templates<PressureStory> = [
  [
    (story) =>
      `${by(story.direction)('Buyers', 'Sellers')} press ${facts(story)[0]} near ${facts(story)[1]} but ${by(story.direction)('offers', 'bids')} hold`,
    (story) =>
      `Heavy ${by(story.direction)('buying', 'selling')} in ${facts(story)[0]} absorbed around ${facts(story)[1]}`,
  ],
  [
    (story) =>
      `${facts(story)[0]} stands still at ${facts(story)[1]} despite strong ${by(story.direction)('buying', 'selling')}`,
    (story) =>
      `Large ${by(story.direction)('sellers', 'buyers')} soak up ${by(story.direction)('demand for', 'supply of')} ${facts(story)[0]} at ${facts(story)[1]}`,
  ],
];

const range = ({ low, high, instrument }: QuietStory): string =>
  `${formatPrice(low, instrument.spec)} to ${formatPrice(high, instrument.spec)}`;
const QUIET: Templates<QuietStory> = [
  [
    (story) =>
      `Quiet trade keeps ${facts(story)[0]} in narrow range of ${range(story)} for ${formatSpan(story.minutes)}`,
    (story) => `${facts(story)[0]} traders wait: little change near ${facts(story)[1]} in ${formatSpan(story.minutes)}`,
  ],
  [
    (story) => `${facts(story)[0]} steady around ${facts(story)[1]} after ${formatSpan(story.minutes)} of thin trading`,
    (story) => `${facts(story)[0]} stays within ${range(story)} in calm session`,
  ],
];

const DOLLAR: Templates<DollarStory> = [
  [
    ({ percent, minutes }) =>
      `Dollar ${by(directionOf(percent))('firms', 'slips')} ${formatPercent(percent)} on average against euro, pound and yen in ${formatSpan(minutes)}`,
    ({ percent, minutes }) =>
      `Major currencies ${by(directionOf(percent))('give direction', 'recover')}: dollar ${by(directionOf(percent))('gains', 'loses')} ${formatPercent(percent)} over ${formatSpan(minutes)}`,
  ],
  [
    ({ percent, minutes }) =>
      `Broad dollar ${by(directionOf(percent))('strength', 'weakness')} in currency trading, ${by(directionOf(percent))('up', 'down')} ${formatPercent(percent)} in ${formatSpan(minutes)}`,
    ({ percent, minutes }) =>
      `Greenback ${by(directionOf(percent))('adds', 'sheds')} ${formatPercent(percent)} against its main rivals within ${formatSpan(minutes)}`,
  ],
];

const AHEAD: Templates<AheadStory> = [
  [
    ({ release, clock }) => `Markets wait for ${release} due at ${clock} UTC`,
    ({ release, minutes }) => `Traders trim positions with ${release} ${minutes} minutes away`,
  ],
  [
    ({ release, clock }) => `${capitalize(release)} at ${clock} UTC next in focus for investors`,
    ({ release, clock }) => `Caution before ${release}, scheduled for ${clock} UTC`,
  ],
];

const AFTER: Templates<AfterStory> = [
  [
    ({ release, percent, minutes }) =>
      `Dollar ${by(directionOf(percent))('rises', 'falls')} ${formatPercent(percent)} in ${minutes} minutes after ${release}`,
    ({ release, percent, minutes }) =>
      `${capitalize(release)} ${by(directionOf(percent))('lifts', 'weighs on')} dollar: ${formatPercent(percent)} ${by(directionOf(percent))('higher', 'lower')} ${minutes} minutes on`,
  ],
  [
    ({ release, percent, minutes }) =>
      `First reaction to ${release}: dollar ${by(directionOf(percent))('up', 'down')} ${formatPercent(percent)} within ${minutes} minutes`,
    ({ release, percent }) =>
      `Dollar ${by(directionOf(percent))('strengthens', 'weakens')} ${formatPercent(percent)} on ${release}`,
  ],
];

/** All texts of a story on an even or odd day, in a fixed order. */
export function headlineTexts(story: Story, time: number, odd: boolean): string[] {
  const texts = <S>(templates: Templates<S>, values: S): string[] =>
    templates[odd ? 1 : 0].map((template) => template(values));
  switch (story.kind) {
    case 'move':
      return texts(MOVE, { ...story, time });
    case 'extreme':
      return texts(EXTREME, story);
    case 'pressure':
      return texts(PRESSURE, story);
    case 'quiet':
      return texts(QUIET, story);
    case 'dollar':
      return texts(DOLLAR, story);
    case 'ahead':
      return texts(AHEAD, story);
    case 'after':
      return texts(AFTER, story);
  }
}
