// Finds the instruments of the catalogue that a title is about.
//
// A symbol or a pair (EURUSD, EUR/USD, $BTC) is that instrument. An asset name (euro, gold) is every pair it forms with
// other assets in the title ("euro falls against yen": EURJPY); if it forms none, it is the asset's main instrument, the one
// against the dollar. The dollar alone is a dollar index if the catalogue has one, else EURUSD and USDJPY. A currency after
// a number is an amount, not a mention.
import { asSymbol, type InstrumentSpec, type MarketSymbol, pairOf } from '@tickwire/engine';
import {
  ASSET_NAMES,
  type AssetKind,
  FALSE_MENTIONS,
  INSTRUMENT_NAMES,
  MARKET_CONTEXT,
  pairSides,
} from './asset-names.ts';
import { type PhraseMatch, PhraseMatcher } from './phrase-matcher.ts';
import { isNumber, type Tokens } from './tokenizer.ts';

type Mention =
  | { readonly symbols: readonly MarketSymbol[]; readonly capitals: boolean }
  | { readonly asset: string; readonly kind: AssetKind; readonly ambiguous: boolean; readonly capitals: boolean };

/** Shorter symbols are also words (CAT, LINK): they count only in capitals. */
const MIN_DISTINCT_SYMBOL = 5;
const DOLLAR_INDICES = ['DXY', 'USDX', 'USDIDX', 'USDOLLAR'] as const;
const DOLLAR_PAIRS = ['EURUSD', 'USDJPY'] as const;
const KIND_OF_TYPE: Partial<Record<InstrumentSpec['type'], AssetKind>> = {
  forex: 'currency',
  metal: 'metal',
  crypto: 'coin',
};

export class InstrumentMatcher {
  readonly #phrases = new PhraseMatcher<Mention | null>(FALSE_MENTIONS.map((phrase) => [phrase, null]));
  readonly #context = new PhraseMatcher<AssetKind>();
  readonly #symbols: ReadonlySet<string>;
  /** By `base/quote`, in the order of the catalogue. */
  readonly #pairs = new Map<string, MarketSymbol>();
  /** Perpetuals by what they follow, where there is no spot price of it. */
  readonly #followers = new Map<string, MarketSymbol>();
  readonly #main = new Map<string, readonly MarketSymbol[]>();

  constructor(specs: readonly InstrumentSpec[]) {
    this.#symbols = new Set(specs.map(({ symbol }) => symbol));
    for (const [kind, phrases] of Object.entries(MARKET_CONTEXT))
      for (const phrase of phrases.split(', ')) this.#context.add(phrase, kind as AssetKind);
    const assets = new Map<string, { kind: AssetKind; name: string | undefined }>();
    // A title that means gold means its spot price, and a perpetual only if that is all there is.
    for (const spec of specs.toSorted((a, b) => Number(a.contract !== undefined) - Number(b.contract !== undefined))) {
      const capitals = spec.symbol.length < MIN_DISTINCT_SYMBOL;
      this.#add([spec.symbol, `$${spec.symbol}`], { symbols: [spec.symbol], capitals });
      const { underlying } = spec;
      if (underlying && !this.#symbols.has(underlying) && !this.#followers.has(underlying))
        this.#followers.set(underlying, spec.symbol);
      const currency = pairOf(spec).quote ?? 'USD';
      const sides = pairSides(underlying ?? spec.symbol) ?? (underlying ? ([underlying, currency] as const) : null);
      const kind = KIND_OF_TYPE[spec.type];
      if (!sides || !kind) {
        this.#add([spec.name], { symbols: [spec.symbol], capitals: false });
        continue;
      }
      const [base, quote] = sides;
      if (this.#pairs.has(`${base}/${quote}`)) continue;
      this.#pairs.set(`${base}/${quote}`, spec.symbol);
      this.#add([`${base} ${quote}`], { symbols: [spec.symbol], capitals: false });
      const [baseName, quoteName] = spec.name.split(' / ');
      if (!assets.has(base)) assets.set(base, { kind, name: baseName });
      if (!assets.has(quote)) assets.set(quote, { kind: 'currency', name: quoteName });
    }
    this.#addInstrumentNames();
    for (const [code, { kind, name }] of assets) this.#addAsset(code, kind, name);
  }

  /** Symbols in the order of the title, without duplicates. */
  match(words: Tokens): MarketSymbol[] {
    const symbols = new Set<MarketSymbol>();
    const assets = new Set<string>();
    const kinds = new Set(this.#context.find(words.stems).map(({ value }) => value));
    const ambiguous: Extract<Mention, { asset: string }>[] = [];
    const allCapitals = !words.written.some((word) => /\p{Ll}/u.test(word));
    for (const found of this.#phrases.find(words.stems)) {
      const { value } = found;
      if (!value || (value.capitals && !inCapitals(words, found, allCapitals))) continue;
      if ('symbols' in value) for (const symbol of value.symbols) symbols.add(symbol);
      else if (value.kind === 'currency' && found.at > 0 && isNumber(words.stems[found.at - 1]!)) continue;
      else if (value.ambiguous) ambiguous.push(value);
      else {
        assets.add(value.asset);
        kinds.add(value.kind);
      }
    }
    for (const { asset, kind } of ambiguous) if (kinds.has(kind)) assets.add(asset);
    for (const symbol of this.#instrumentsOf([...assets], symbols)) symbols.add(symbol);
    return [...symbols];
  }

  /** `named`: symbols that the title mentions directly; their sides need no other instrument. */
  #instrumentsOf(assets: readonly string[], named: Iterable<MarketSymbol>): MarketSymbol[] {
    const paired = new Set<string>([...named].flatMap((symbol) => pairSides(symbol) ?? []));
    const symbols: MarketSymbol[] = [];
    for (const base of assets)
      for (const quote of assets) {
        const symbol = this.#pairs.get(`${base}/${quote}`);
        if (!symbol) continue;
        symbols.push(symbol);
        paired.add(base).add(quote);
      }
    for (const asset of assets) if (!paired.has(asset)) symbols.push(...this.#mainOf(asset));
    return symbols;
  }

  #mainOf(asset: string): readonly MarketSymbol[] {
    let main = this.#main.get(asset);
    if (!main) {
      main = this.#findMain(asset);
      this.#main.set(asset, main);
    }
    return main;
  }

  #findMain(asset: string): readonly MarketSymbol[] {
    const known = (codes: readonly string[]): MarketSymbol[] =>
      codes.filter((code) => this.#symbols.has(code)).map(asSymbol);
    if (asset === 'USD') {
      const indices = known(DOLLAR_INDICES);
      return indices.length > 0 ? indices.slice(0, 1) : known(DOLLAR_PAIRS);
    }
    for (const against of ['USD', 'USDT', 'USDC']) {
      const symbol = this.#pairs.get(`${asset}/${against}`) ?? this.#pairs.get(`${against}/${asset}`);
      if (symbol) return [symbol];
    }
    for (const [sides, symbol] of this.#pairs) if (sides.startsWith(`${asset}/`)) return [symbol];
    return [];
  }

  #add(phrases: readonly string[], mention: Mention): void {
    for (const phrase of phrases) this.#phrases.add(phrase, mention);
  }

  /** A name that several instruments share ("crude") mentions all of them. */
  #addInstrumentNames(): void {
    const byName = new Map<string, MarketSymbol[]>();
    for (const [code, names] of Object.entries(INSTRUMENT_NAMES)) {
      const symbol = this.#symbols.has(code) ? asSymbol(code) : this.#followers.get(code);
      if (symbol) for (const name of names) byName.set(name, [...(byName.get(name) ?? []), symbol]);
    }
    for (const [name, symbols] of byName) this.#phrases.add(name, { symbols, capitals: false });
  }

  #addAsset(code: string, kindOfSpec: AssetKind, name: string | undefined): void {
    const known = ASSET_NAMES[code];
    const kind = known?.kind ?? kindOfSpec;
    const mention = { asset: code, kind, ambiguous: false, capitals: false };
    this.#add([`$${code}`, ...(known?.names ?? []), ...(name && !known ? [name] : [])], mention);
    this.#add(known?.ambiguous ?? [], { ...mention, ambiguous: true });
    const ambiguous = known ? known.ambiguousTicker === true : true;
    this.#add([code], { ...mention, ambiguous, capitals: ambiguous });
  }
}

/** Whether the word is in capitals and the title as a whole is not. A cashtag always counts. */
function inCapitals({ written }: Tokens, { at }: PhraseMatch<unknown>, allCapitals: boolean): boolean {
  const word = written[at]!;
  return word.startsWith('$') || (!allCapitals && word === word.toUpperCase());
}
