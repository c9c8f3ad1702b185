// Checks that a brief of a language model only states facts. Every number must be the figure of a fact that is cited directly
// after it, digit by digit and including the sign. Text without a citation must not contain numbers.
import type { BriefCitation } from '@tickwire/contract';
import { type BriefFact, type BriefFacts, citationOf } from './brief-facts.ts';
import type { WrittenBrief } from './brief-rules.ts';
import { ScorerError } from './scorer.ts';

const MIN_LENGTH = 40;
const MAX_LENGTH = 1_500;

/** Words, followed by the ids of the cited facts in brackets. */
const PART = /([^[\]]*?)((?:\s*\[[a-z0-9_]+\])+|$)/gy;
const NUMBER = /[+-]?\d+(?:[.,:]\d+)*/g;
const NUMBER_WORD =
  /\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|billions?|dozens?|half|twice|double[ds]?|tripled?)\b/i;
const MARKUP = /[<>{}`*#|\\_]|\bhttps?:|\bwww\./i;
const ADVICE =
  /\b(?:should|recommend\w*|advis\w+|consider\w*|suggest\w*|opportunit\w+|must|ought|better (?:buy|sell)|go (?:long|short)|(?:good|right|great) (?:time|moment)|you|your|we|will (?:rise|fall|go|climb|drop)|guarante\w+)\b/i;

export function checkBrief(written: string, facts: BriefFacts, symbol: string): WrittenBrief {
  const text = written.normalize('NFKC').replace(/\s+/g, ' ').replaceAll('\u2212', '-').trim();
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) throw rejection('its length is out of range');
  if (/\p{C}/u.test(text)) throw rejection('it contains an invisible character');
  const parts = partsOf(text, facts);
  const citations = parts.flatMap(({ words, cited }) => citationsOf(words, cited, symbol));
  const plain = parts.map(({ words }) => words).join('');
  if (citations.length === 0) throw rejection('it contains no figure');
  if (MARKUP.test(plain)) throw rejection('it contains markup');
  // The wording of quoted headlines is not the brief's own.
  const own = [...facts.values()].reduce(
    (rest, fact) => (fact.source === 'news' ? rest.replaceAll(fact.text, '') : rest),
    plain,
  );
  if (NUMBER_WORD.test(own)) throw rejection('it contains a number in words');
  if (ADVICE.test(own)) throw rejection('it contains advice');
  return { text: plain.trim(), citations };
}

interface Part {
  readonly words: string;
  readonly cited: readonly BriefFact[];
}

function partsOf(text: string, facts: BriefFacts): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: whole, 1: words, 2: ids, index } of text.matchAll(PART)) {
    if (whole === '') break;
    end = index + whole.length;
    const cited = [...ids!.matchAll(/\[([a-z0-9_]+)\]/g)].map(([, id]) => {
      const fact = facts.get(id!);
      if (!fact) throw rejection('it cites an unknown fact');
      return fact;
    });
    parts.push({ words: words!, cited });
  }
  if (end !== text.length) throw rejection('it contains brackets without a citation');
  return parts;
}

/** The figures in the words, in order; throws if one does not belong to a cited fact. */
function citationsOf(words: string, cited: readonly BriefFact[], symbol: string): BriefCitation[] {
  const found: { readonly at: number; readonly citation: BriefCitation }[] = [];
  // Digits in the name of the instrument (US500) are not figures.
  let rest = words.replaceAll(symbol, ' '.repeat(symbol.length));
  for (const fact of [...cited].sort((a, b) => b.text.length - a.text.length)) {
    const at = indexOfWhole(rest, fact.text);
    if (at < 0) continue;
    found.push({ at, citation: citationOf(fact, fact.text) });
    rest = rest.slice(0, at) + ' '.repeat(fact.text.length) + rest.slice(at + fact.text.length);
  }
  for (const { 0: figure, index } of rest.matchAll(NUMBER)) {
    const fact = cited.find(({ text }) => text.match(NUMBER)?.includes(figure));
    if (!fact) throw rejection(`no cited fact has the number ${figure.slice(0, 20)}`);
    found.push({ at: index, citation: citationOf(fact, figure) });
  }
  if (/\p{N}/u.test(rest.replace(/[0-9]/g, ''))) throw rejection('it contains a number in other digits');
  return found.sort((a, b) => a.at - b.at).map(({ citation }) => citation);
}

/** Index of the text as a whole: 1.08 is not part of 11.08, 1.084 or -1.08. */
function indexOfWhole(words: string, text: string): number {
  for (let at = words.indexOf(text); at >= 0; at = words.indexOf(text, at + 1)) {
    const [before, after] = [words.slice(0, at), words.slice(at + text.length)];
    if (!/[\p{L}\p{N}+-]$|\d[.,:]$/u.test(before) && !/^[\p{L}\p{N}]|^[.,:]\d/u.test(after)) return at;
  }
  return -1;
}

const rejection = (reason: string): ScorerError => new ScorerError('bad_response', `the brief was rejected: ${reason}`);
