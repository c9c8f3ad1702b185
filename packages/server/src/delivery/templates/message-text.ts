// What a message says, before it takes the form of a channel: a title, facts, the note of the user and a link. All texts are
// plain: without control characters and characters that change the direction of the text around them.
import { conditionsOf, type WebhookMessage } from '@tickwire/contract';
import type { MessageLocale, OutgoingMessage } from '../channel.ts';
import { type Fact, formatNumber, formatTime } from './format.ts';
import { signalFacts } from './signal-facts.ts';

const MAX_TITLE = 300;
const MAX_FACT = 200;
/** Minutes for which a code is valid. */
export const CODE_MINUTES = 15;

export interface MessageText {
  readonly title: string;
  readonly facts: readonly Fact[];
  /** May have several lines. */
  readonly note: string | null;
  /** http or https. */
  readonly link: string | null;
}

export function messageText({ title, type, body, createdAt }: OutgoingMessage): MessageText {
  if (!('message' in body)) return codeText(body.code);
  const { data, timestamp } = body.message;
  const { locale, digits } = body;
  const item = itemOf(data);
  const facts: (Fact | null)[] = [
    ...(type === 'test' ? [['Test', 'this message was requested. No alert fired'] as const] : []),
    ...signalFacts(data.signal, locale, digits),
    ...newsFacts(item.news, locale),
    ...calendarFacts(item.calendar, locale),
    data.price === null || data.signal !== undefined ? null : ['Price', formatNumber(data.price, locale, { digits })],
    ['Time', formatTime(timestamp, locale)],
    data.late ? ['Late', `noticed at ${formatTime(createdAt, locale)}`] : null,
  ];
  return {
    title: plainLine(localTitle(title, data, locale), MAX_TITLE),
    facts: facts
      .filter((fact) => fact !== null)
      .map(([label, value]) => [label, plainLine(value, MAX_FACT)] as const)
      .filter(([, value]) => value !== ''),
    note: data.note === null ? null : plainText(data.note) || null,
    link: webAddress(item.news?.url) ?? webAddress(item.calendar?.url),
  };
}

const codeText = (code: string): MessageText => ({
  title: `Your Tickwire code: ${plainLine(code, 64)}`,
  facts: [],
  note: `Enter it in Tickwire within ${CODE_MINUTES} minutes to receive messages here.\nIf you did not ask for it, ignore this message: nothing more will be sent.`,
  link: null,
});

/** A decimal number that is a word of its own, or ends before a punctuation mark. */
const DECIMAL = /(?<=^| )-?\d+\.(\d+)(?=$|[ ,;:])/g;

/**
 * The title with its prices in the notation of the account: where a point groups digits, 4282.940 would read as millions. Words of
 * others, in headlines and names of events, stay as they are.
 */
function localTitle(title: string, data: WebhookMessage['data'], locale: MessageLocale): string {
  const { news, calendar } = itemOf(data);
  const quoted = conditionsOf(data.condition).some(({ type }) => type === 'headline' || type === 'calendar');
  if (news || calendar || quoted || formatNumber(0.5, locale) === '0.5') return title;
  return title.replace(DECIMAL, (text, decimals: string) =>
    formatNumber(Number(text), locale, { digits: decimals.length }),
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** What caused the message, if it is a headline or a calendar event. */
function itemOf(data: WebhookMessage['data']): { readonly news: Fields | null; readonly calendar: Fields | null } {
  const fields = (value: unknown): Fields | null =>
    typeof value === 'object' && value !== null ? (value as Fields) : null;
  return { news: fields(data.news), calendar: fields((data as Fields).calendar) };
}

function newsFacts(news: Fields | null, locale: MessageLocale): Fact[] {
  if (!news) return [];
  const { sentiment, sentiment_score: score } = news;
  const scored = typeof score === 'number' ? ` (${formatNumber(score, locale, { digits: 2, signed: true })})` : '';
  return [
    ['Category', textOf(news.category)],
    ['Sentiment', sentiment === undefined ? '' : `${textOf(sentiment)}${scored}`],
    ['Source', textOf(news.source)],
  ];
}

function calendarFacts(event: Fields | null, locale: MessageLocale): Fact[] {
  if (!event) return [];
  const unit = textOf(event.unit);
  const valued = (value: unknown): string => (textOf(value) === '' ? '' : `${textOf(value)}${unit}`);
  return [
    ['Event', textOf(event.title)],
    ['Due', typeof event.time === 'string' ? formatTime(event.time, locale) : ''],
    ['Country', textOf(event.country)],
    ['Impact', textOf(event.impact)],
    ['Actual', valued(event.actual)],
    ['Forecast', valued(event.forecast)],
    ['Previous', valued(event.previous)],
  ];
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The normalised address, in which nothing ends a link or a quoted attribute. */
function webAddress(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > 1_000) return null;
  return url.href.replace(
    /["'<>()\\|*_~`[\]]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Without the joiners, which emoji and some scripts need. */
const INVISIBLE = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\u200c\u200d]]/gv;

/** At most `max` characters on one line. */
export function plainLine(text: string, max: number): string {
  const line = text.toWellFormed().replace(/\s+/gu, ' ').replace(INVISIBLE, '').trim();
  return clipped(line, max);
}

const plainText = (text: string): string =>
  text
    .toWellFormed()
    .split('\n')
    .map((line) => line.replace(/\t/g, ' ').replace(INVISIBLE, '').trimEnd())
    .join('\n')
    .trim();

export function clipped(text: string, max: number): string {
  if (text.length <= max) return text;
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** Renders with less and less of the note until the result fits. */
export function fitted(text: MessageText, max: number, render: (text: MessageText) => string): string {
  for (const length of [2_000, 200, 0]) {
    const note = text.note === null || length === 0 ? null : clipped(text.note, length);
    const rendered = render({ ...text, note });
    if (rendered.length <= max) return rendered;
  }
  return render({ title: clipped(text.title, Math.floor(max / 4)), facts: [], note: null, link: null });
}

/** The link that ends messages; only mails have one. */
export const unsubscribeLink = ({ body }: OutgoingMessage): string | null => body.unsubscribe ?? null;
