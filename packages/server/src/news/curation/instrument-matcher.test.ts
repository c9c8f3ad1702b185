import { describe, expect, test } from 'bun:test';
import { asSymbol, CATALOGUE, type InstrumentSpec } from '@tickwire/engine';
import { InstrumentMatcher } from './instrument-matcher.ts';
import { targetsOf } from './sentiment-targets.ts';
import { tokenize } from './tokenizer.ts';

const matcher = new InstrumentMatcher(CATALOGUE);
const match = (title: string, by = matcher): string[] => by.match(tokenize(title));

describe('instruments in a title', () => {
  test.each<[string, string[]]>([
    ['EURUSD drops below 1.06', ['EURUSD']],
    ['EUR/USD and gbp-usd both fall', ['EURUSD', 'GBPUSD']],
    ['Euro falls against yen', ['EURJPY']],
    ['Euro hits three-week low', ['EURUSD']],
    ['EUR/USD slips as dollar firms', ['EURUSD']],
    ['Gold climbs as dollar slips', ['XAUUSD']],
    ['Bullion and silver gain', ['XAUUSD', 'XAGUSD']],
    ['Dollar index at two-month high', ['EURUSD', 'USDJPY']],
    ['$BTC breaks 100k', ['BTCUSD']],
    ['Bitcoin, ether and XRP rally', ['BTCUSD', 'ETHUSD', 'XRPUSD']],
    ['S&P 500 and Nasdaq close higher', ['US500', 'NAS100']],
    ['Brent and WTI settle lower', ['UKOIL', 'USOIL']],
    ['Crude steadies', ['USOIL', 'UKOIL']],
    ['Australian dollar jumps after jobs data', ['AUDUSD']],
    ['Pound slips against dollar', ['GBPUSD']],
    ['SOL token jumps as crypto rallies', ['SOLUSD']],
  ])('%p mentions %p', (title, symbols) => {
    expect(match(title)).toEqual(symbols);
  });

  test.each([
    'A pound of butter costs more',
    'Company pays 5 million pounds in damages',
    'Deal worth 300 million dollars',
    'Fund raises 20 euros per head',
    'Sol Campbell joins the board',
    'Ada Lovelace honoured',
    'The ripple effect of higher rates',
    'Gold medal for the home team',
    'Dollar General opens stores',
    'Every cloud has a silver lining',
    'Euro zone factory output falls',
    'Read the link below for more dots',
    'Golden years for retirees',
    'Palm oil output rises',
  ])('%p mentions none', (title) => {
    expect(match(title)).toEqual([]);
  });

  test("finds an operator's own instruments by symbol and name, short symbols only in capitals", () => {
    const own = (symbol: string, name: string, type: InstrumentSpec['type']): InstrumentSpec => ({
      ...CATALOGUE[0]!,
      symbol: asSymbol(symbol),
      name,
      type,
    });
    const extended = new InstrumentMatcher([
      ...CATALOGUE,
      own('CAT', 'Caterpillar', 'equity'),
      own('LINKUSDT', 'Chainlink / Tether', 'crypto'),
      own('DXY', 'US Dollar Index', 'index'),
    ]);
    expect(match('CAT shares jump', extended)).toEqual(['CAT']);
    expect(match('Caterpillar beats estimates', extended)).toEqual(['CAT']);
    expect(match('A cat video goes viral', extended)).toEqual([]);
    expect(match('EVERY CAT LOVES THIS', extended)).toEqual([]);
    expect(match('Chainlink gains', extended)).toEqual(['LINKUSDT']);
    expect(match('LINK token gains on mainnet launch', extended)).toEqual(['LINKUSDT']);
    expect(match('Click the LINK', extended)).toEqual([]);
    expect(match('Greenback firms', extended)).toEqual(['DXY']);
  });
});

describe('sentiment targets', () => {
  test('good news for the base raises an instrument, good news for the quote lowers it', () => {
    expect(targetsOf('XAUUSD', 'Gold / US Dollar').up).toContain('bullion');
    expect(targetsOf('XAUUSD').up.map((name) => name.toLowerCase())).toContain('gold');
    expect(targetsOf('XAUUSD').down).toContain('dollar');
    expect(targetsOf('EURUSD').down).toContain('dollar');
    expect(targetsOf('usdjpy').up).toContain('dollar');
    expect(targetsOf('USDJPY').down).toContain('yen');
    expect(targetsOf('GBPUSD').up).toContain('pound');
    expect(targetsOf('BTCUSDT').up.map((name) => name.toLowerCase())).toContain('bitcoin');
    expect(targetsOf('US500', 'US 500')).toEqual({
      up: ['S&P 500', 'S&P500', 'S&P', 'Wall Street', 'US 500', 'US500'],
      down: [],
    });
    expect(targetsOf('ACME', 'Acme Corporation')).toEqual({ up: ['Acme Corporation', 'ACME'], down: [] });
  });

  test('every catalogue instrument has names, and no name is on both sides', () => {
    for (const { symbol, name } of CATALOGUE) {
      const { up, down } = targetsOf(symbol, name);
      expect(up.length).toBeGreaterThan(1);
      const lower = new Set(up.map((each) => each.toLowerCase()));
      for (const each of down) expect(lower.has(each.toLowerCase())).toBe(false);
    }
  });
});

describe('perpetuals in a title', () => {
  const perpetual = (
    symbol: string,
    underlying: string,
    currency: string,
    type: InstrumentSpec['type'],
  ): InstrumentSpec => ({
    ...CATALOGUE[0]!,
    symbol: asSymbol(symbol),
    name: `${underlying} / ${currency} perpetual`,
    type,
    currency,
    contract: 'perpetual',
    underlying,
  });
  const perpetuals = [
    perpetual('XAUUSDT.P', 'XAU', 'USDT', 'metal'),
    perpetual('BTCUSDC.P', 'BTC', 'USDC', 'crypto'),
    perpetual('SP500USDC.P', 'US500', 'USDC', 'index'),
    perpetual('JPYUSDC.P', 'USDJPY', 'USDC', 'forex'),
  ];
  const alone = new InstrumentMatcher(perpetuals);
  const withSpot = new InstrumentMatcher([...perpetuals, ...CATALOGUE]);

  test.each([
    ['Gold climbs as dollar slips', 'XAUUSDT.P', 'XAUUSD'],
    ['Bitcoin hits record', 'BTCUSDC.P', 'BTCUSD'],
    ['S&P 500 closes higher', 'SP500USDC.P', 'US500'],
    ['Yen slides to a new low', 'JPYUSDC.P', 'USDJPY'],
  ])('%p mentions %p, or %p if there is a spot price', (title, alonePerpetual, spot) => {
    expect(match(title, alone)).toEqual([alonePerpetual]);
    expect(match(title, withSpot)).toEqual([spot]);
  });

  test('by their own symbol', () => {
    expect(match('XAUUSDT.P trades above spot', withSpot)).toContain('XAUUSDT.P');
  });

  test('the model knows the names of what they follow', () => {
    expect(targetsOf('XAUUSDT.P', 'Gold / Tether perpetual', 'XAU')).toEqual(targetsOf('XAUUSD'));
    expect(targetsOf('SP500USDC.P', 'S&P 500 / USDC perpetual', 'US500').up).toContain('Wall Street');
  });
});
