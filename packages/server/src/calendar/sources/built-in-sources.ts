// The built-in list of `TICKWIRE_CALENDAR=feeds`: only addresses that the offices publish for subscription, or that public
// programs were seen to use. They were not fetched from here. A URL that no longer works shows as `failing` in the status of the
// sources and does not affect the others. Add others in a file of your own (docs/calendar.md).
import type { CalendarSource } from './calendar-source.ts';

type BuiltIn = Pick<CalendarSource, 'name' | 'url' | 'country' | 'currency' | 'timezone' | 'impacts'>;

const source = (builtIn: BuiltIn): CalendarSource => ({
  ...builtIn,
  file: null,
  format: null,
  impact: 'low',
  include: [],
  match: 'id',
  mayBePrivate: false,
});

export const BUILT_IN_CALENDARS: readonly CalendarSource[] = [
  // Works of the US government: public domain. The address is on every page of the schedule of the BLS.
  source({
    name: 'US Bureau of Labor Statistics: schedule',
    url: 'https://www.bls.gov/schedule/news_release/bls.ics',
    country: 'US',
    currency: 'USD',
    timezone: 'America/New_York',
    impacts: {
      high: ['employment situation', 'consumer price index'],
      medium: [
        'producer price index',
        'job openings and labor turnover',
        'employment cost index',
        'import and export price',
      ],
    },
  }),
  source({
    name: 'US Bureau of Economic Analysis: schedule',
    url: 'https://www.bea.gov/news/schedule/ics/online-calendar-subscription.ics',
    country: 'US',
    currency: 'USD',
    timezone: 'America/New_York',
    impacts: {
      high: ['gross domestic product', 'gdp (', 'personal income and outlays'],
      medium: ['international trade in goods'],
    },
  }),
  // Open Government Licence 3.0. A feed of releases.
  source({
    name: 'UK Office for National Statistics: release calendar',
    url: 'https://www.ons.gov.uk/releasecalendar?rss',
    country: 'GB',
    currency: 'GBP',
    timezone: 'Europe/London',
    impacts: {
      high: ['consumer price inflation, uk', 'gdp monthly estimate', 'gdp first quarterly', 'labour market overview'],
      medium: ['retail sales, great britain', 'producer price inflation', 'public sector finances, uk', 'uk trade:'],
    },
  }),
];
