// Numbers that are compared with numbers. The model reads all numbers alike, so the meaning of a comparison is put into a word that it
// knows: "sales of 5.1m compared with 4.3m" becomes "sales of 5.1m, up, compared with 4.3m", and "net debt of 5.1m compared with 4.3m"
// becomes "net debt of 5.1m, worse, compared with 4.3m".

const UNIT =
  '%|percent\\b|pct\\b|bps\\b|k\\b|m\\b|mn\\b|mln\\b|million\\b|bn?\\b|billion\\b|tn\\b|trn\\b|trillion\\b|crore\\b';
const NUMBER = `(?<![\\w.,])(?:[$€£¥]|(?:usd|eur|gbp|rs)\\s?)?(-?\\d+(?:,\\d{3})*(?:\\.\\d+)?)\\s?(${UNIT})?(?![\\w%])`;
const AGAINST = '(?:compared (?:with|to)|versus|vs\\.?|against|from)';
/** At most four words between the two numbers besides the comparison itself, as in "against an estimate of 4.3m". */
const COMPARISON = new RegExp(`${NUMBER}(,?\\s*\\(?${AGAINST}\\s+(?:[a-z'-]+\\s+){0,4}?)${NUMBER}`, 'gi');

/** More of these is worse. */
const BAD =
  /\b(?:costs?|expenses?|debts?|deficits?|loss(?:es)?|unemployment|jobless|claims|inflation|cpi|ppi|prices paid|provisions?|impairments?|write-?downs?|defaults?|bad loans|layoffs?|job cuts|delinquenc(?:y|ies)|churn|inventories|stockpiles|arrears|bankruptc(?:y|ies))\b/i;
/** The number already has a direction. */
const DIRECTED =
  /\b(?:up|down|rose|rises?|rising|fell|falls?|falling|jump\w*|drop\w*|increas\w*|decreas\w*|declin\w*|grew|grows?|climb\w*|slid\w*|slump\w*|surg\w*|plung\w*|gain\w*|slip\w*|eas(?:ed|es|ing)|higher|lower|beat\w*|miss\w*|above|below|swing|swung)\b/i;
/** Profit against loss is not a comparison of numbers, and the model reads it. */
const OTHER_KIND = /\b(?:loss|profit|surplus|deficit)\b/i;
/** Words before the first number that tell what it counts. */
const WORDS_BEFORE = 8;
const CLAUSE_END = /[;:]|\.\s|,\s/g;

/** Puts a word for the direction after the first number of each comparison. */
export function nameDirections(text: string): string {
  return text.replace(
    COMPARISON,
    (
      whole,
      first: string,
      unit: string | undefined,
      middle: string,
      second: string,
      other: string | undefined,
      at: number,
    ) => {
      const direction = directionOf(text.slice(0, at), middle, [first, unit], [second, other]);
      if (direction === null) return whole;
      const end = whole.indexOf(middle, first.length);
      return `${whole.slice(0, end)}, ${direction},${middle.replace(/^,/, '')}${whole.slice(end + middle.length)}`;
    },
  );
}

type Amount = readonly [number: string, unit: string | undefined];

function directionOf(before: string, middle: string, [first, unit]: Amount, [second, other]: Amount): string | null {
  const [one, two] = [amountIn(first), amountIn(second)];
  if (one === two || OTHER_KIND.test(middle)) return null;
  // The unit of both may follow the second: "5.1 from 4.3 million".
  if (unit === undefined ? other === '%' : unit.toLowerCase() !== other?.toLowerCase()) return null;
  if (other === undefined && isYear(second)) return null;
  const clause = lastWords(before.slice(lastEnd(before)));
  if (BAD.test(clause)) return one > two ? 'worse' : 'an improvement';
  if (DIRECTED.test(clause) || DIRECTED.test(middle)) return null;
  return one > two ? 'up' : 'down';
}

const amountIn = (digits: string): number => Number(digits.replaceAll(',', ''));
const isYear = (digits: string): boolean => /^(?:19|20)\d\d$/.test(digits);
const lastWords = (text: string): string => text.trim().split(/\s+/).slice(-WORDS_BEFORE).join(' ');
const lastEnd = (text: string): number => Math.max(0, ...[...text.matchAll(CLAUSE_END)].map(({ index }) => index + 1));
