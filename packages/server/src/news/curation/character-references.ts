// Character references of HTML (&amp;, &#8217;, &#x2019;) decoded as a browser would: numbers with or without the semicolon,
// the four names that markup is made of as well, others only with it.

/** Names of U+00A0 to U+00FF in their order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute ' +
  'Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute ' +
  'THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ' +
  'ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.split(' ').map((name, at): [string, string] => [name, String.fromCharCode(0xa0 + at)]),
  ...Object.entries({
    amp: '&',
    AMP: '&',
    lt: '<',
    LT: '<',
    gt: '>',
    GT: '>',
    quot: '"',
    QUOT: '"',
    apos: "'",
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    lsaquo: '‹',
    rsaquo: '›',
    hellip: '…',
    bull: '•',
    prime: '′',
    euro: '€',
    trade: '™',
    minus: '−',
    rarr: '→',
    uarr: '↑',
    darr: '↓',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    Tab: ' ',
    NewLine: ' ',
    zwj: '',
    zwnj: '',
    lrm: '',
    rlm: '',
  }),
]);
const WITHOUT_SEMICOLON = /^(?:amp|lt|gt|quot)$/i;

/** What browsers read for 128 to 159: those of Windows-1252, because that is what was meant. 0 stands for none. */
const WINDOWS_1252 = [
  0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0, 0,
  0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
] as const;

const REFERENCE = /&(?:#x0*([\da-f]{1,6})|#0*(\d{1,7})|([a-z][a-z\d]{1,7}))(;?)/gi;

/** Decodes once. A reference that names no character stays as it is. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    REFERENCE,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined, semicolon: string) => {
      if (name === undefined) return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
      if (semicolon === '') return unterminated(whole, name);
      return NAMED.get(name) ?? whole;
    },
  );
}

/** "&ltscript" is the sign and a word; "AT&Tel" is not a reference at all. */
function unterminated(whole: string, name: string): string {
  for (const length of [2, 3, 4]) {
    const head = name.slice(0, length);
    if (WITHOUT_SEMICOLON.test(head) && NAMED.has(head)) return NAMED.get(head)! + name.slice(length);
  }
  return whole;
}

function characterOf(code: number): string {
  const point = code >= 0x80 && code <= 0x9f ? WINDOWS_1252[code - 0x80]! : code;
  if (point === 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return '';
  return String.fromCodePoint(point);
}
