// Words for stories. Every kind has two sets of templates, of which the days take turns: so a headline just after midnight
// never repeats one from just before, though neither day knows of the other.
import { capitalised, clockText, percentText, priceText, spanText, subjectOf } from './figures.ts';
import type {
  AfterStory,
  AheadStory,
  DollarStory,
  ExtremeStory,
  MoveStory,
  PressureStory,
  QuietStory,
  Story,
  Way,
} from './story.ts';

type Templates<S> = readonly [even: readonly ((story: S) => string)[], odd: readonly ((story: S) => string)[]];

const by =
  (way: Way) =>
  <T>(up: T, down: T): T =>
    way > 0 ? up : down;
const wayOf = (percent: number): Way => (percent > 0 ? 1 : -1);

const parts = (story: MoveStory) => {
  const { instrument, price, percent, minutes, times, around } = story;
  const pick = by(wayOf(percent));
  const verb =
    times < 1.8 ? pick('edges up', 'eases') : times < 2.6 ? pick('climbs', 'falls') : pick('surges', 'tumbles');
  return {
    subject: subjectOf(instrument.spec),
    size: percentText(percent),
    price: priceText(price, instrument.spec),
    span: spanText(minutes),
    verb,
    pick,
    why: around ? aroundText(around) : '',
  };
};

const aroundText = ({ what, way }: NonNullable<MoveStory['around']>): string =>
  what === 'dollar'
    ? by(way)(' as dollar firms', ' as dollar slips')
    : by(way)(' as most coins rise', ' as most coins fall');

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
      const since = clockText(story.time - story.minutes * 60_000);
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
      const since = clockText(story.time - story.minutes * 60_000);
      return `${pick('Gains', 'Losses')} since ${since} UTC leave ${subject} ${size} ${pick('higher', 'lower')} at ${price}`;
    },
    (story) => {
      const { subject, size, price, pick, why } = parts(story);
      const since = clockText(story.time - story.minutes * 60_000);
      return `${subject} market ${pick('bid', 'offered')}${why}: ${size} ${pick('higher', 'lower')} since ${since} UTC, now ${price}`;
    },
    (story) => {
      const { subject, size, price, span, pick } = parts(story);
      return `${pick('Demand', 'Supply')} ${pick('outweighs supply', 'outweighs demand')} in ${subject}, which ${pick('adds', 'loses')} ${size} over ${span} to ${price}`;
    },
  ],
];

const of = ({ instrument, price }: ExtremeStory | PressureStory | QuietStory): [subject: string, price: string] => [
  subjectOf(instrument.spec),
  priceText(price, instrument.spec),
];

const EXTREME: Templates<ExtremeStory> = [
  [
    (story) => `${of(story)[0]} sets new ${by(story.way)('high', 'low')} for the day at ${of(story)[1]}`,
    (story) => `${of(story)[0]} at ${of(story)[1]}, ${by(story.way)('strongest', 'weakest')} since midnight UTC`,
    (story) => `Earlier ${by(story.way)('peak', 'trough')} gives way as ${of(story)[0]} reaches ${of(story)[1]}`,
  ],
  [
    (story) => `Fresh session ${by(story.way)('high', 'low')} for ${of(story)[0]}: ${of(story)[1]}`,
    (story) =>
      `${of(story)[0]} breaks ${by(story.way)('above', 'below')} its range of the day and trades at ${of(story)[1]}`,
    (story) => `No price today was ${by(story.way)('higher', 'lower')}: ${of(story)[0]} touches ${of(story)[1]}`,
  ],
];

const PRESSURE: Templates<PressureStory> = [
  [
    (story) =>
      `${by(story.way)('Buyers', 'Sellers')} press ${of(story)[0]} near ${of(story)[1]} but ${by(story.way)('offers', 'bids')} hold`,
    (story) => `Heavy ${by(story.way)('buying', 'selling')} in ${of(story)[0]} absorbed around ${of(story)[1]}`,
  ],
  [
    (story) => `${of(story)[0]} stands still at ${of(story)[1]} despite strong ${by(story.way)('buying', 'selling')}`,
    (story) =>
      `Large ${by(story.way)('sellers', 'buyers')} soak up ${by(story.way)('demand for', 'supply of')} ${of(story)[0]} at ${of(story)[1]}`,
  ],
];

const range = ({ low, high, instrument }: QuietStory): string =>
  `${priceText(low, instrument.spec)} to ${priceText(high, instrument.spec)}`;
const QUIET: Templates<QuietStory> = [
  [
    (story) => `Quiet trade keeps ${of(story)[0]} in narrow range of ${range(story)} for ${spanText(story.minutes)}`,
    (story) => `${of(story)[0]} traders wait: little change near ${of(story)[1]} in ${spanText(story.minutes)}`,
  ],
  [
    (story) => `${of(story)[0]} steady around ${of(story)[1]} after ${spanText(story.minutes)} of thin trading`,
    (story) => `${of(story)[0]} stays within ${range(story)} in calm session`,
  ],
];

const DOLLAR: Templates<DollarStory> = [
  [
    ({ percent, minutes }) =>
      `Dollar ${by(wayOf(percent))('firms', 'slips')} ${percentText(percent)} on average against euro, pound and yen in ${spanText(minutes)}`,
    ({ percent, minutes }) =>
      `Major currencies ${by(wayOf(percent))('give way', 'recover')}: dollar ${by(wayOf(percent))('gains', 'loses')} ${percentText(percent)} over ${spanText(minutes)}`,
  ],
  [
    ({ percent, minutes }) =>
      `Broad dollar ${by(wayOf(percent))('strength', 'weakness')} in currency trading, ${by(wayOf(percent))('up', 'down')} ${percentText(percent)} in ${spanText(minutes)}`,
    ({ percent, minutes }) =>
      `Greenback ${by(wayOf(percent))('adds', 'sheds')} ${percentText(percent)} against its main rivals within ${spanText(minutes)}`,
  ],
];

const AHEAD: Templates<AheadStory> = [
  [
    ({ release, clock }) => `Markets wait for ${release} due at ${clock} UTC`,
    ({ release, minutes }) => `Traders trim positions with ${release} ${minutes} minutes away`,
  ],
  [
    ({ release, clock }) => `${capitalised(release)} at ${clock} UTC next in focus for investors`,
    ({ release, clock }) => `Caution before ${release}, scheduled for ${clock} UTC`,
  ],
];

const AFTER: Templates<AfterStory> = [
  [
    ({ release, percent, minutes }) =>
      `Dollar ${by(wayOf(percent))('rises', 'falls')} ${percentText(percent)} in ${minutes} minutes after ${release}`,
    ({ release, percent, minutes }) =>
      `${capitalised(release)} ${by(wayOf(percent))('lifts', 'weighs on')} dollar: ${percentText(percent)} ${by(wayOf(percent))('higher', 'lower')} ${minutes} minutes on`,
  ],
  [
    ({ release, percent, minutes }) =>
      `First reaction to ${release}: dollar ${by(wayOf(percent))('up', 'down')} ${percentText(percent)} within ${minutes} minutes`,
    ({ release, percent }) =>
      `Dollar ${by(wayOf(percent))('strengthens', 'weakens')} ${percentText(percent)} on ${release}`,
  ],
];

/** All wordings of a story on a day of one kind, in a fixed order. */
export function wordings(story: Story, time: number, odd: boolean): string[] {
  const told = <S>(templates: Templates<S>, facts: S): string[] => templates[odd ? 1 : 0].map((write) => write(facts));
  switch (story.kind) {
    case 'move':
      return told(MOVE, { ...story, time });
    case 'extreme':
      return told(EXTREME, story);
    case 'pressure':
      return told(PRESSURE, story);
    case 'quiet':
      return told(QUIET, story);
    case 'dollar':
      return told(DOLLAR, story);
    case 'ahead':
      return told(AHEAD, story);
    case 'after':
      return told(AFTER, story);
  }
}
