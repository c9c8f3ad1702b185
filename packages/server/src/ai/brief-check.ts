// Whether a brief that a language model wrote says only what the facts say. Every number in it must be the figure of a fact
// that is cited right behind it, digit by digit, sign included; what cites nothing may hold no number.
import type { BriefCitation } from '@tickwire/contract';
import { citationOf, type Fact, type Facts } from './brief-facts.ts';
import type { WrittenBrief } from './brief-rules.ts';
import { ScorerError } from './scorer-error.ts';

const MIN_LENGTH = 40;
const MAX_LENGTH = 1_500;

/** Words up to the ids of facts in brackets that vouch for them. */
const PART = /([^[\]]*?)((?:\s*\[[a-z0-9_]+\])+|$)/gy;
const NUMBER = /[+-]?\d+(?:[.,:]\d+)*/g;
const NUMBER_WORD =
  /\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|billions?|dozens?|half|twice|double[ds]?|tripled?)\b/i;
const MARKUP = /[<>{}`*#|\\_]|\bhttps?:|\bwww\./i;
const ADVICE =
  /\b(?:should|recommend\w*|advis\w+|consider\w*|suggest\w*|opportunit\w+|must|ought|better (?:buy|sell)|go (?:long|short)|(?:good|right|great) (?:time|moment)|you|your|we|will (?:rise|fall|go|climb|drop)|guarante\w+)\b/i;

export function checkedBrief(written: string, facts: Facts, symbol: string): WrittenBrief {
  const text = written.normalize('NFKC').replace(/\s+/g, ' ').replaceAll('\u2212', '-').trim();
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) throw refused('its length');
  if (/\p{C}/u.test(text)) throw refused('a character that cannot be seen');
  const parts = partsOf(text, facts);
  const citations = parts.flatMap(({ words, cited }) => citationsOf(words, cited, symbol));
  const plain = parts.map(({ words }) => words).join('');
  if (citations.length === 0) throw refused('no figure');
  if (MARKUP.test(plain)) throw refused('markup');
  // What a headline says is not said by the brief.
  const own = [...facts.values()].reduce(
    (rest, fact) => (fact.source === 'news' ? rest.replaceAll(fact.text, '') : rest),
    plain,
  );
  if (NUMBER_WORD.test(own)) throw refused('a number in words');
  if (ADVICE.test(own)) throw refused('advice');
  return { text: plain.trim(), citations };
}

interface Part {
  readonly words: string;
  readonly cited: readonly Fact[];
}

function partsOf(text: string, facts: Facts): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: whole, 1: words, 2: ids, index } of text.matchAll(PART)) {
    if (whole === '') break;
    end = index + whole.length;
    const cited = [...ids!.matchAll(/\[([a-z0-9_]+)\]/g)].map(([, id]) => {
      const fact = facts.get(id!);
      if (!fact) throw refused('a fact that there is not');
      return fact;
    });
    parts.push({ words: words!, cited });
  }
  if (end !== text.length) throw refused('brackets that cite nothing');
  return parts;
}

/** The figures in the words, in their order; throws where one is not a cited fact's. */
function citationsOf(words: string, cited: readonly Fact[], symbol: string): BriefCitation[] {
  const found: { readonly at: number; readonly citation: BriefCitation }[] = [];
  // Digits in the name of the instrument (US500) are no figures.
  let rest = blanked(words, symbol);
  for (const fact of [...cited].sort((a, b) => b.text.length - a.text.length)) {
    const at = standsIn(rest, fact.text);
    if (at < 0) continue;
    found.push({ at, citation: citationOf(fact, fact.text) });
    rest = rest.slice(0, at) + ' '.repeat(fact.text.length) + rest.slice(at + fact.text.length);
  }
  for (const { 0: figure, index } of rest.matchAll(NUMBER)) {
    const fact = cited.find(({ text }) => text.match(NUMBER)?.includes(figure));
    if (!fact) throw refused(`the number ${figure.slice(0, 20)}, which no fact it cites has`);
    found.push({ at: index, citation: citationOf(fact, figure) });
  }
  if (/\p{N}/u.test(rest.replace(/[0-9]/g, ''))) throw refused('a number in other digits');
  return found.sort((a, b) => a.at - b.at).map(({ citation }) => citation);
}

/** Where the text stands as a whole: 1.08 does not stand in 11.08, nor in 1.084, nor in -1.08. */
function standsIn(words: string, text: string): number {
  for (let at = words.indexOf(text); at >= 0; at = words.indexOf(text, at + 1)) {
    const [before, after] = [words.slice(0, at), words.slice(at + text.length)];
    if (!/[\p{L}\p{N}+-]$|\d[.,:]$/u.test(before) && !/^[\p{L}\p{N}]|^[.,:]\d/u.test(after)) return at;
  }
  return -1;
}

const blanked = (words: string, symbol: string): string => words.replaceAll(symbol, ' '.repeat(symbol.length));

const refused = (what: string): ScorerError => new ScorerError('bad_answer', `the brief holds ${what}`);
