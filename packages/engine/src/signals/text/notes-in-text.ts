// Parts of a message that are not levels, although they contain numbers: times, risk, leverage, links, timeframes. They are blanked,
// so that a number that is left needs an explanation. What a message says about break-even is read here as well.
import type { FoldedText } from './folded-text.ts';
import type { Place } from './tokens.ts';

/** The object replacement character, in place of each character of a note. */
export const BLANK = '\ufffc';

const DECIMAL = String.raw`\d+(?:[.,]\d+)?`;
const SPAN = String.raw`${DECIMAL}(?:\s*(?:-|to|a|bis|до)\s*${DECIMAL})?`;
const TP = String.raw`(?:tp|t\.p|take[ -]?profit|target|тп|هدف)`;
const LEVERAGE = '(?:leverage|lev|apalancamiento|alavancagem|hebel|levier|плечо|رافعه)';
const STOP = '(?:the |your |our )?(?:sl|s/l|stop(?:[ -]?loss)?|stops)';

/** Things with numbers that change nothing about a signal. */
const NOTES: readonly RegExp[] = [
  /(?:https?:\/\/|www\.|t\.me\/)\S+/g,
  /[\w.+-]{1,64}@[a-z][\w-]{0,62}\.[a-z]{2,}/g,
  /(?<![\p{L}\d])@[a-z_]\w{3,}/gu,
  // Emoji, mentions and times of Discord: <:fire:1234>, <@1234>, <t:1234:R>.
  /<(?:a?:\w+:|@[!&]?|#|t:)\d+(?::[a-z])?>/g,
  // 1st TP.
  /(?<![\d.,])[1-9](?:st|nd|rd|th)(?!\p{L})/gu,
  // 14:30 UTC, 9:05 am, 19.11.2026, 2026-11-19.
  /(?<![\d.,:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])(?:\s*(?:am|pm|h))?(?:\s*\(?(?:utc|gmt|est|edt|cet|cest|bst|msk|мск|wib)(?:\s*[+-]\s*\d{1,2})?\)?)?/g,
  /(?<![\d.,/])\d{1,2}[./-]\d{1,2}[./-](?:20)\d{2}(?![\d.,])/g,
  /(?<![\d.,/])20\d{2}[./-]\d{1,2}[./-]\d{1,2}(?![\d.,])/g,
  /(?<![\p{L}\d.,])\d{1,2}(?:st|nd|rd|th)?\s+(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?!\p{L})(?:\s+20\d{2})?/gu,
  // M15, H4, 15 min, 4H chart.
  /(?<![\p{L}\d])(?:m(?:1|2|3|5|10|15|30)|h(?:1|2|4|6|8|12)|d1|w1|mn1?)(?![\p{L}\d.,])/gu,
  /(?<![\p{L}\d.,])(?:1|2|3|5|10|15|30|45|60)\s?-?(?:m|min|mins|minutes?)(?![\p{L}\d])(?:\s*(?:chart|tf|timeframe|time frame))?/gu,
  /(?<![\p{L}\d.,])(?:1|2|4|6|8|12)\s?-?(?:h|hr|hrs|hours?)(?![\p{L}\d])(?:\s*(?:chart|tf|timeframe|time frame))?/gu,
  // R:R 1:2.5, 1:3 risk reward.
  /(?<!\p{L})(?:r\s?[:/.]?\s?r(?:\s?r)?(?:\s*ratio)?|ratio|risk\s*[:/-]?\s*(?:to\s*)?reward(?:\s*ratio)?)\s*[:=-]?\s*(?:\d+(?:[.,]\d+)?\s*[:/]\s*)?\d+(?:[.,]\d+)?(?:\s?r(?!\p{L}))?/gu,
  /(?<![\p{L}\d.,] ?)1\s?:\s?\d(?:[.,]\d)?(?![\d.,:])(?:\s*(?:rr|r:r|risk\s*[:/]?\s*reward|ratio))?/gu,
  new RegExp(
    String.raw`(?<!\p{L})(?:(?:max(?:imum)?\s*)?risk(?:ing)?(?:\s*per\s*trade)?|size|accuracy|win\s?-?rate|winrate|confidence|probability|margin|position size|riesgo|risco|risiko|risque|риск|risiko|المخاطره|مخاطره|amount|equity|balance|capital)(?:\s*(?:of|is|only|max|not more than|more than|per trade|level))*\s*[:=-]?\s*${SPAN}\s*%(?:\s*(?:of|per|от|de|del|da|des|vom|dari)\b[^\n]{0,30})?`,
    'gu',
  ),
  new RegExp(
    String.raw`${SPAN}\s*%\s*(?:(?:max(?:imum)?\s*)?risk|riesgo|risco|risiko|de risque|риска?|accuracy|accurate|win\s?-?rate|winrate|confidence|probability|winning|de riesgo|de risco|(?:of|per)\s+(?:your\s+|the\s+)?(?:account|balance|capital|equity|trade|portfolio))`,
    'gu',
  ),
  new RegExp(
    String.raw`(?<!\p{L})(?:lots?|lot\s?size|volume|lote|lotes|лот|لوت)\s*[:=-]?\s*(?:of\s*)?${SPAN}(?![\d.,])`,
    'gu',
  ),
  new RegExp(
    String.raw`(?<![\d.,])${SPAN}\s*(?:lots?|lote|lotes|лота?|лотов|لوت)(?!\p{L})(?:\s*(?:per|for|every|each)\s*\$?\s?\d[\d.,]*\s?[$k]?)?`,
    'gu',
  ),
  // Leverage: cross 20x, leverage 1:100, 1/100 leverage.
  new RegExp(
    String.raw`(?<!\p{L})${LEVERAGE}\s*[:=-]?\s*(?:cross|isolated)?\s*[:=-]?\s*\(?x?\s?(?:1 ?[:/] ?)?\d+(?:[.,]\d+)?\s?x?\)?(?:\s*(?:-|to)\s*(?:x|1 ?[:/] ?)?\d+\s?x?)?`,
    'gu',
  ),
  new RegExp(String.raw`(?<![\p{L}\d.,:/])1 ?[:/] ?\d+ ?${LEVERAGE}(?!\p{L})`, 'gu'),
  /(?<!\p{L})(?:cross|isolated)\s*\(?(?:x\s?\d{1,3}|\d{1,3}\s?x)\)?/gu,
  /(?<![\p{L}\d])(?:x\d{1,3}|\d{1,3}x)(?![\p{L}\d])/gu,
  // Signal #12, trade no. 3, #0045 at the beginning of a line.
  /(?<!\p{L})(?:signal|trade|alert|setup|idea|senal|sinal|сигнал|توصيه|صفقه|sinyal)s?\s*(?:#|no\.?\s*|nr\.?\s*|№\s*|id\s*:?\s*#?)\s*\d+/gu,
  /(?<!\p{L})(?:signal|trade|alert|senal|sinal|сигнал|sinyal)\s*\d{1,3}(?=\s*(?:$|\n|[:.)]))/gu,
  /(?:^|\n)\s*#\s?\d{1,6}(?=\s)/g,
  /(?<!\d)24\s?\/\s?7(?!\d)/g,
  /(?<!\p{L})(?:magic|ticket|order id|id)\s*[:#=]\s*\d+/gu,
  // Take partials at TP1: targets exit in parts anyway.
  new RegExp(
    String.raw`(?:take|book|close|secure)\s+(?:some\s+)?(?:partials?|partial\s+profits?|profits?|some)\s+(?:at|on)\s+(?:each|every|all)?\s*${TP}s?\s?\d?`,
    'g',
  ),
];

const TO_ENTRY = String.raw`(?:be|b/e|breakeven|break[ -]even|entry(?:\s+price)?|бу|безубыток)`;
const MOVE = String.raw`(?:move|set|put|shift|bring|change)\s+${STOP}\s+(?:to|at|@)\s+${TO_ENTRY}|${STOP}\s*(?:to|at|@|->|=)?\s*${TO_ENTRY}|(?:set|go|move(?:\s+to)?)\s+${TO_ENTRY}|${TO_ENTRY}|risk[ -]free`;
const WHEN = String.raw`(?:after|at|when|once|if|on|as soon as)\s+(?:we\s+)?(?:hit(?:s|ting)?\s+|reach(?:es|ing)?\s+)?(?:the\s+)?`;
const NTH = String.raw`(?:${TP}\s?(?<n>[1-5])|(?<word>first|1st|second|2nd|third|3rd)\s+${TP})(?![\d.])`;
const IS_HIT = String.raw`(?:\s+(?:is|has been|gets|was))?(?:\s+(?:hit|hits|reached|done))?`;
/** Stop to break-even after a target. */
const BREAKEVEN: readonly RegExp[] = [
  new RegExp(String.raw`(?<!\p{L})(?:${MOVE})\s+${WHEN}${NTH}${IS_HIT}`, 'u'),
  new RegExp(String.raw`(?<!\p{L})${WHEN}${NTH}${IS_HIT}\s*[,:-]?\s*(?:${MOVE})(?!\p{L})`, 'u'),
];
const ORDINALS: Readonly<Record<string, number>> = { first: 1, '1st': 1, second: 2, '2nd': 2, third: 3, '3rd': 3 };

export interface Breakeven extends Place {
  /** Number of the target, from 1 on. */
  readonly after: number;
}

/** The message without notes and without what it says about break-even. */
export function withoutNotes(folded: FoldedText): {
  readonly text: FoldedText;
  readonly breakeven: readonly Breakeven[];
} {
  let { text, cased } = folded;
  const blank = (from: number, to: number): void => {
    const blanks = text.slice(from, to).replace(/[^\n]/g, BLANK);
    text = text.slice(0, from) + blanks + text.slice(to);
    cased = cased.slice(0, from) + blanks + cased.slice(to);
  };
  const breakeven: Breakeven[] = [];
  for (const pattern of BREAKEVEN)
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const { n, word } = match.groups!;
      const place = { from: match.index, to: match.index + match[0].length };
      breakeven.push({ ...place, after: n === undefined ? ORDINALS[word!]! : Number(n) });
      blank(place.from, place.to);
    }
  for (const pattern of NOTES)
    for (const match of text.matchAll(pattern)) blank(match.index, match.index + match[0].length);
  return { text: { ...folded, text, cased }, breakeven };
}
