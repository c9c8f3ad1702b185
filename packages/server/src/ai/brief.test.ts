import { describe, expect, test } from 'bun:test';
import { AiBrief } from '@tickwire/contract';
import { asSymbol } from '@tickwire/engine';
import { briefInput, catalogueSpec, EURUSD, emptyInput, headline, signal } from '../../testing/ai/brief.fixture.ts';
import { Briefs, type BriefsOptions } from './brief.ts';
import { checkBrief } from './brief-check.ts';
import { type BriefInput, collectFacts } from './brief-facts.ts';
import { composeBrief } from './brief-rules.ts';
import { ScorerError } from './scorer.ts';

const NOW = Date.UTC(2026, 2, 2, 11, 24, 8);
const sentences = (text: string): number => text.split(/(?<=[.)])\s+(?=[A-Z0-9])/).length;

describe('a brief by rules', () => {
  test('states the facts in plain sentences and cites each figure in order', () => {
    const { text, citations } = composeBrief('EURUSD', collectFacts(briefInput()));
    expect(text).toBe(
      'EURUSD is quoted at 1.08412 bid and 1.08424 ask, a spread of 0.00012, at 11:24:07 UTC. ' +
        'Its latest trading day opened at 1.08262 and has moved +0.14%, between 1.08250 and 1.08441; its latest hour moved +0.01%. ' +
        'In today’s order flow sellers lead (delta -1235) and in the last minute buyers lead (imbalance +0.25). ' +
        '2 signals are active (1 to buy, 1 to sell); the one nearest to its end, a sell, is 42.4 pips from its target 1.08000 and 17.6 pips from its stop 1.08600. ' +
        'The newest headline on it, “Euro climbs 3 cents as 2 banks cut rates”, reads bullish (+0.62). ' +
        'This brief was composed by rules, not by a language model.',
    );
    expect(citations[0]).toEqual({
      figure: '1.08412',
      value: 1.08412,
      source: 'quote',
      path: '/api/market/EURUSD/quote',
    });
    expect(citations.map(({ source }) => source)).toEqual([
      ...Array.from({ length: 4 }, () => 'quote'),
      ...Array.from({ length: 4 }, () => 'bars:1d'),
      'bars:1h',
      'orderflow',
      'orderflow',
      ...Array.from({ length: 8 }, () => 'signals'),
      ...Array.from({ length: 3 }, () => 'news'),
    ]);
    expect(citations.find(({ figure }) => figure === '+0.14%')!.value).toBeCloseTo(0.13855, 4);
    expect(citations.find(({ figure }) => figure === '+0.62')!.value).toBe(0.6234);
  });

  test('contains no digit outside its citations', () => {
    for (const input of [
      briefInput(),
      emptyInput(),
      briefInput({ quote: null }),
      briefInput({ flow: { cumulativeDelta: 0, imbalance: -0.001, absorption: 'buy' }, signals: [signal()] }),
      briefInput({ news: [headline({ title: '7 “quotes” 8\u0000\u202e <b>9</b>' })], hour: null }),
      briefInput({ spec: catalogueSpec('US500') ?? briefInput().spec }),
    ]) {
      const { text, citations } = composeBrief(input.spec.symbol, collectFacts(input));
      let rest = text.replaceAll(input.spec.symbol, '');
      for (const { figure } of citations) {
        expect(rest).toContain(figure);
        rest = rest.replace(figure, '');
      }
      expect(rest).not.toMatch(/\d/);
      expect(text).not.toMatch(/\p{Cc}|\u202e|undefined|NaN|null/u);
      expect(sentences(text)).toBeWithin(3, 7);
    }
  });

  test('states that a market has no data yet', () => {
    const { text, citations } = composeBrief('EURUSD', collectFacts(emptyInput()));
    expect(text).toBe(
      'EURUSD has had no quote yet. There are no bars of it yet. No order flow of it is known. No signal on it is active. ' +
        'No recent news mentions it. This brief was composed by rules, not by a language model.',
    );
    expect(citations).toEqual([]);
  });
});

describe('a brief by a language model', () => {
  const facts = collectFacts(briefInput());
  const check = (text: string) => checkBrief(text, facts, 'EURUSD');
  const GOOD =
    'EURUSD is quoted at 1.08412 [bid] bid and 1.08424 [ask] ask. Its latest day moved +0.14% [day_change], between 1.08250 and 1.08441 [day_low][day_high]. ' +
    'Sellers lead with a delta of −1235 [delta]. The newest headline, “Euro climbs 3 cents as 2 banks cut rates” [n1_title], reads bullish [n1_sentiment].';

  test('is accepted if all figures are facts, with brackets turned into citations', () => {
    const { text, citations } = check(GOOD);
    expect(text).toBe(
      'EURUSD is quoted at 1.08412 bid and 1.08424 ask. Its latest day moved +0.14%, between 1.08250 and 1.08441. ' +
        'Sellers lead with a delta of -1235. The newest headline, “Euro climbs 3 cents as 2 banks cut rates”, reads bullish.',
    );
    expect(citations.map(({ figure, value }) => [figure, value])).toEqual([
      ['1.08412', 1.08412],
      ['1.08424', 1.08424],
      ['+0.14%', expect.closeTo(0.13855, 4)],
      ['1.08250', 1.0825],
      ['1.08441', 1.08441],
      ['-1235', -1234.5],
      ['Euro climbs 3 cents as 2 banks cut rates', 'Euro climbs 3 cents as 2 banks cut rates'],
      ['bullish', 'bullish'],
    ]);
  });

  const quoted = 'EURUSD is quoted at 1.08412 [bid] bid in a calm market today';
  for (const [name, text] of [
    ['a number of its own', `${quoted}, near 1.09 [bid].`],
    ['a rounded figure', 'EURUSD is quoted at 1.0841 [bid] bid in a calm market today.'],
    ['a figure with a digit more', 'EURUSD is quoted at 1.084120 [bid] bid in a calm market today.'],
    ['a figure inside another', 'EURUSD is quoted at 11.08412 [bid] bid in a calm market today.'],
    ['a figure with the other sign', `${quoted}; it moved -0.14% [day_change].`],
    ['a figure without its sign', `${quoted}; it moved 0.14% [day_change].`],
    ['a figure of another fact', 'EURUSD is quoted at 1.08424 [bid] bid in a calm market today.'],
    ['a figure that cites nothing', `${quoted}, with 1.08424 asked.`],
    ['a figure cited too late', 'EURUSD at 1.08412 is bid, it moved +0.14% [day_change] and is calm [bid].'],
    ['a fact that there is not', `${quoted} [target].`],
    ['brackets of its own', `${quoted} [see below].`],
    ['a bracket that does not close', `${quoted} [bid`],
    ['other digits', `${quoted}, near ١٫٠٩.`],
    ['a power', `${quoted}, times 2².`],
    ['a number in words', `${quoted}, after two weeks of gains.`],
    ['advice', `${quoted}; traders should wait.`],
    ['advice to you', `${quoted}; now is your chance.`],
    ['markup', `${quoted} <img src=x>.`],
    ['a link', `${quoted}, see https://evil.example.`],
    ['what cannot be seen', `${quoted}\u200b.`],
    ['no figure at all', 'The euro is calm today and nothing points either way, as the facts have it.'],
    ['too little', 'At 1.08412 [bid].'],
    ['too much', `${quoted}. ${'It is calm. '.repeat(200)}`],
  ] as const) {
    test(`is rejected with ${name}`, () => {
      expect(() => check(text)).toThrow(ScorerError);
    });
  }

  test('may contain an instrument name with digits and the words of a cited headline', () => {
    const us500 = collectFacts(briefInput({ news: [headline({ title: 'Analysts say you should buy 500 shares' })] }));
    const text =
      'US500 is quoted at 1.08412 [bid] bid. A headline, “Analysts say you should buy 500 shares” [n1_title], is out.';
    expect(checkBrief(text, us500, 'US500').citations).toHaveLength(2);
  });
});

describe('briefs', () => {
  type Llm = NonNullable<BriefsOptions['llm']>;
  const sourcesOf = (input: BriefInput): BriefsOptions['sources'] => ({
    spec: () => input.spec,
    quote: () => input.quote as never,
    bar: (_, timeframe) => (timeframe === '1h' ? input.hour : input.day),
    flow: () => input.flow as never,
    signals: async () => input.signals,
    news: () => input.news,
  });
  const llmThat = (
    brief: unknown,
    available = true,
  ): Llm & { readonly requests: unknown[]; readonly origins: unknown[] } => {
    const requests: unknown[] = [];
    const origins: unknown[] = [];
    return {
      requests,
      origins,
      model: 'example-8b',
      available: () => available,
      query: async (query) => {
        requests.push(query.data);
        origins.push(query.origin);
        try {
          return query.read({ brief });
        } catch {
          throw new ScorerError('bad_response', 'no');
        }
      },
    };
  };
  const good = 'EURUSD is quoted at 1.08412 [bid] bid and 1.08424 [ask] ask, and sellers lead.';

  test('name their model and match the contract', async () => {
    const rules = await new Briefs({ sources: sourcesOf(briefInput()), llm: null }).of(EURUSD, NOW);
    expect(AiBrief.parse(rules)).toEqual(rules);
    expect([rules.model, rules.generated_at]).toEqual(['rules', '2026-03-02T11:24:08.000Z']);
    const written = await new Briefs({ sources: sourcesOf(briefInput()), llm: llmThat(good) }).of(EURUSD, NOW);
    expect(AiBrief.parse(written)).toEqual(written);
    expect([written.model, written.citations.length]).toEqual(['example-8b', 2]);
  });

  test('fall back to rules if the language model is wrong, fails or is unavailable', async () => {
    for (const llm of [
      llmThat('EURUSD will rise to 1.20 [bid] and you should buy it.'),
      llmThat(7),
      llmThat(good, false),
    ]) {
      const brief = await new Briefs({ sources: sourcesOf(briefInput()), llm }).of(EURUSD, NOW);
      expect(brief.model).toBe('rules');
      expect(brief.text).toEndWith('This brief was composed by rules, not by a language model.');
    }
    const llm = llmThat(good);
    const silent = new Briefs({ sources: sourcesOf(emptyInput()), llm });
    expect([(await silent.of(asSymbol('EURUSD'), NOW)).model, llm.requests, silent.rejected]).toEqual(['rules', [], 0]);
  });

  test('send the language model headlines of one origin only, that of the newest', async () => {
    const news = ['A', 'B', 'A'].map((origin, index) => ({ ...headline({ title: `Headline ${index}` }), origin }));
    const llm = llmThat(good);
    await new Briefs({ sources: sourcesOf(briefInput({ news })), llm }).of(EURUSD, NOW);
    expect(JSON.stringify(llm.requests).match(/Headline \d/g)).toEqual(['Headline 0', 'Headline 2']);
    expect(llm.origins).toEqual(['A\u0000brief']);
    const rules = await new Briefs({ sources: sourcesOf(briefInput({ news })), llm: null }).of(EURUSD, NOW);
    expect(rules.text).toContain('Headline 0');
  });

  test('send the language model only facts: no publisher name, no key', async () => {
    const llm = llmThat(good);
    await new Briefs({ sources: sourcesOf(briefInput()), llm }).of(EURUSD, NOW);
    expect(JSON.stringify(llm.requests)).not.toContain('Ada');
    expect(llm.requests[0]).toMatchObject({
      symbol: 'EURUSD',
      facts: expect.arrayContaining([{ id: 'bid', label: 'bid', text: '1.08412' }]),
    });
  });
});
