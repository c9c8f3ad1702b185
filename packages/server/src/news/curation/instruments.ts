// Which instruments of the catalogue a title is about.
//
// A symbol or a pair (EURUSD, EUR/USD, $BTC) is that instrument. A thing by name (euro, gold) is the pairs it forms with
// other things named in the title ("euro falls against yen": EURJPY), and where it forms none, its main instrument, the one
// against the dollar. The dollar alone is a dollar index where the catalogue has one, else EURUSD and USDJPY. A currency
// behind a number is an amount and no mention.
import { asSymbol, type InstrumentSpec, type MarketSymbol } from '@tickwire/engine';
import { ASSET_NAMES, CONTEXT, type Kind, NOT_MEANT, SINGLE_NAMES } from './assets.ts';
import { type Found, PhraseBook } from './phrase-book.ts';
import { sidesOf } from './sides.ts';
import { isFigure, type Words } from './words.ts';

type Mention =
  | { readonly symbols: readonly MarketSymbol[]; readonly capitals: boolean }
  | { readonly asset: string; readonly kind: Kind; readonly guarded: boolean; readonly capitals: boolean };

/** A symbol of fewer letters is a word as well (CAT, LINK): it counts in capitals only. */
const PLAIN_SYMBOL = 5;
const DOLLAR_INDICES = ['DXY', 'USDX', 'USDIDX', 'USDOLLAR'] as const;
const DOLLAR_PAIRS = ['EURUSD', 'USDJPY'] as const;
const KIND_OF_TYPE: Partial<Record<InstrumentSpec['type'], Kind>> = {
  forex: 'currency',
  metal: 'metal',
  crypto: 'coin',
};

export class Instruments {
  readonly #book = new PhraseBook<Mention | null>(NOT_MEANT.map((phrase) => [phrase, null]));
  readonly #context = new PhraseBook<Kind>();
  readonly #symbols: ReadonlySet<string>;
  /** By both sides, in the order of the catalogue. */
  readonly #pairs = new Map<string, MarketSymbol>();
  readonly #main = new Map<string, readonly MarketSymbol[]>();

  constructor(specs: readonly InstrumentSpec[]) {
    this.#symbols = new Set(specs.map(({ symbol }) => symbol));
    for (const [kind, phrases] of Object.entries(CONTEXT))
      for (const phrase of phrases.split(', ')) this.#context.add(phrase, kind as Kind);
    const assets = new Map<string, { kind: Kind; name: string | undefined }>();
    for (const spec of specs) {
      const capitals = spec.symbol.length < PLAIN_SYMBOL;
      this.#add([spec.symbol, `$${spec.symbol}`], { symbols: [spec.symbol], capitals });
      const sides = sidesOf(spec.symbol);
      const kind = KIND_OF_TYPE[spec.type];
      if (!sides || !kind) {
        this.#add([spec.name], { symbols: [spec.symbol], capitals: false });
        continue;
      }
      const [base, quote] = sides;
      this.#pairs.set(`${base}/${quote}`, spec.symbol);
      this.#add([`${base} ${quote}`], { symbols: [spec.symbol], capitals: false });
      const [baseName, quoteName] = spec.name.split(' / ');
      if (!assets.has(base)) assets.set(base, { kind, name: baseName });
      if (!assets.has(quote)) assets.set(quote, { kind: 'currency', name: quoteName });
    }
    this.#addSingles();
    for (const [code, { kind, name }] of assets) this.#addAsset(code, kind, name);
  }

  /** Symbols in the order of the title, each once. */
  mentioned(words: Words): MarketSymbol[] {
    const symbols = new Set<MarketSymbol>();
    const assets = new Set<string>();
    const kinds = new Set(this.#context.find(words.stems).map(({ value }) => value));
    const guarded: Extract<Mention, { asset: string }>[] = [];
    const shouting = !words.written.some((word) => /\p{Ll}/u.test(word));
    for (const found of this.#book.find(words.stems)) {
      const { value } = found;
      if (!value || (value.capitals && !inCapitals(words, found, shouting))) continue;
      if ('symbols' in value) for (const symbol of value.symbols) symbols.add(symbol);
      else if (value.kind === 'currency' && found.at > 0 && isFigure(words.stems[found.at - 1]!)) continue;
      else if (value.guarded) guarded.push(value);
      else {
        assets.add(value.asset);
        kinds.add(value.kind);
      }
    }
    for (const { asset, kind } of guarded) if (kinds.has(kind)) assets.add(asset);
    for (const symbol of this.#of([...assets], symbols)) symbols.add(symbol);
    return [...symbols];
  }

  /** `named`: symbols that stand in the title themselves, whose sides need no other instrument. */
  #of(assets: readonly string[], named: Iterable<MarketSymbol>): MarketSymbol[] {
    const paired = new Set<string>([...named].flatMap((symbol) => sidesOf(symbol) ?? []));
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
    for (const phrase of phrases) this.#book.add(phrase, mention);
  }

  /** "Crude" is both oils: what several instruments are called names all of them. */
  #addSingles(): void {
    const called = new Map<string, MarketSymbol[]>();
    for (const [code, names] of Object.entries(SINGLE_NAMES)) {
      if (!this.#symbols.has(code)) continue;
      for (const name of names) called.set(name, [...(called.get(name) ?? []), asSymbol(code)]);
    }
    for (const [name, symbols] of called) this.#book.add(name, { symbols, capitals: false });
  }

  #addAsset(code: string, kindOfSpec: Kind, name: string | undefined): void {
    const known = ASSET_NAMES[code];
    const kind = known?.kind ?? kindOfSpec;
    const ticker = { asset: code, kind, guarded: false, capitals: false };
    this.#add([`$${code}`, ...(known?.names ?? []), ...(name && !known ? [name] : [])], ticker);
    this.#add(known?.guarded ?? [], { ...ticker, guarded: true });
    const guarded = known ? known.guardedTicker === true : true;
    this.#add([code], { ...ticker, guarded, capitals: guarded });
  }
}

/** Written in capitals in a title that is not. A cashtag counts as it is. */
function inCapitals({ written }: Words, { at }: Found<unknown>, shouting: boolean): boolean {
  const word = written[at]!;
  return word.startsWith('$') || (!shouting && word === word.toUpperCase());
}
