// Clauses about different assets. "Bitcoin slides as ether gains" is bad for bitcoin and good for ether: where a target is named, only
// the clause that states how the target moved is read. Texts that are not clearly of this kind are left as they are.
import type { SentimentTarget } from './target.ts';

const SEPARATOR = /;\s+|,\s+(?:(?:but|while|whereas|(?:even )?as)\s+)?|\s+(?:but|while|whereas|(?:even )?as)\s+/i;
/** Words that say how an asset moved, or that it did not. */
const MOVE =
  /\b(?:up|down|higher|lower|high|low|flat|dull|pressure|losses|stead(?:y|ies)|ris(?:es?|ing)|rose|fall(?:s|ing)?|fell|gain(?:s|ed)?|drop(?:s|ped)?|slip(?:s|ped)?|slid(?:es?)?|jump(?:s|ed)?|surge[sd]?|soar(?:s|ed)?|sinks?|sank|plunge[sd]?|tumble[sd]?|climb(?:s|ed)?|rall(?:y|ies|ied)|retreat(?:s|ed)?|recover(?:s|ed)?|rebound(?:s|ed)?|advance[sd]?|decline[sd]?|weak(?:er|ens|ened)?|strong(?:er)?|strengthen(?:s|ed)?|firm(?:s|er)?|ease[sd]?|dip(?:s|ped)?|edge[sd]?|hold(?:s|ing)?|lag(?:s|ged)?|hits?|slump(?:s|ed)?|crash(?:es|ed)?|shines?)\b/i;
const ASSETS = (
  'gold, bullion, silver, platinum, palladium, copper, aluminium, zinc, nickel, oil, crude, brent, wti, natural gas, ' +
  'bitcoin, btc, ether, ethereum, eth, solana, xrp, dogecoin, cardano, ' +
  'dollar, greenback, euro, pound, sterling, yen, franc, rupee, yuan, loonie, aussie, kiwi, ' +
  'stocks, shares, equities, bonds, treasuries, yields, wall street, s&p 500, dow, nasdaq, ftse, dax, nikkei, sensex, nifty'
).split(', ');
/** The name of an asset is among the first words of a clause about it. */
const FIRST_WORDS = 3;

/** The clause of a normalised text that is about the target; the whole text if there is no such clause, or if it is not clear. */
export function clauseOf(text: string, { up }: SentimentTarget): string {
  const clauses = text.split(SEPARATOR);
  if (clauses.length === 1) return text;
  const names = new Set(up.map((name) => name.toLowerCase()));
  const others = ASSETS.filter((name) => !names.has(name));
  const own = clauses.filter((clause) => mentions(clause, up));
  const [clause] = own;
  if (own.length !== 1 || !clause || !MOVE.test(clause) || mentions(clause, others)) return text;
  // "Gold, silver fall" is one statement about both.
  const before = clauses[clauses.indexOf(clause) - 1];
  if (before !== undefined && !MOVE.test(before)) return text;
  const aboutOther = (each: string): boolean =>
    each !== clause && MOVE.test(each) && mentions(firstWords(each), others);
  return clauses.some(aboutOther) ? clause : text;
}

const firstWords = (text: string): string => text.split(' ', FIRST_WORDS).join(' ');

/** Whether a text contains one of the names as a whole word. */
function mentions(text: string, names: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return names.some((name) => {
    const word = name.trim().toLowerCase();
    if (word === '') return false;
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1))
      if (!isWordCharacter(lower[at - 1]) && !isWordCharacter(lower[at + word.length])) return true;
    return false;
  });
}

const isWordCharacter = (character: string | undefined): boolean => character !== undefined && /\w/.test(character);
