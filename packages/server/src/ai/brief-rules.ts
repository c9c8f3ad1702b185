// Composes a brief by rules. Figures can only come from facts: the `sentence` template tag cites every fact it inserts.
import type { BriefCitation } from '@tickwire/contract';
import { type BriefFact, type BriefFacts, citationOf } from './brief-facts.ts';

export interface WrittenBrief {
  readonly text: string;
  readonly citations: readonly BriefCitation[];
}

/** Text without a citation, such as the name of the instrument. */
interface Words {
  readonly words: string;
}

/** `null` if a fact is missing. */
function sentence(strings: TemplateStringsArray, ...parts: (BriefFact | Words | undefined)[]): WrittenBrief | null {
  if (parts.includes(undefined)) return null;
  const given = parts as (BriefFact | Words)[];
  const text = strings.reduce((written, piece, index) => {
    const part = given[index - 1]!;
    return `${written}${'words' in part ? part.words : part.text}${piece}`;
  });
  const facts = given.filter((part): part is BriefFact => !('words' in part));
  return { text, citations: facts.map((fact) => citationOf(fact, fact.text)) };
}

export function composeBrief(symbol: string, facts: BriefFacts): WrittenBrief {
  const name: Words = { words: symbol };
  const [bid, ask, spread, time] = of(facts, 'bid', 'ask', 'spread', 'quote_time');
  const [open, low, high, day, hour] = of(facts, 'day_open', 'day_low', 'day_high', 'day_change', 'hour_change');
  const sentences = [
    sentence`${name} is quoted at ${bid} bid and ${ask} ask, a spread of ${spread}, at ${time} UTC.` ??
      sentence`${name} has had no quote yet.`,
    sentence`Its latest trading day opened at ${open} and has moved ${day}, between ${low} and ${high}; its latest hour moved ${hour}.` ??
      sentence`There are no bars of it yet.`,
    flowSentence(facts),
    signalSentence(facts),
    sentence`The newest headline on it, “${facts.get('n1_title')}”, reads ${facts.get('n1_sentiment')} (${facts.get('n1_score')}).` ??
      sentence`No recent news mentions it.`,
    sentence`This brief was composed by rules, not by a language model.`,
  ].filter((each) => each !== null);
  return {
    text: sentences.map(({ text }) => text).join(' '),
    citations: sentences.flatMap(({ citations }) => citations),
  };
}

function flowSentence(facts: BriefFacts): WrittenBrief | null {
  const [delta, imbalance, absorption] = of(facts, 'delta', 'imbalance', 'absorption');
  const side = (value: number): Words => ({
    words: value > 0 ? 'buyers lead' : value < 0 ? 'sellers lead' : 'neither side leads',
  });
  if (!delta || !imbalance) return sentence`No order flow of it is known.`;
  const [today, minute] = [side(Number(delta.value)), side(Number(imbalance.value))];
  return absorption
    ? sentence`In today’s order flow ${today} (delta ${delta}) and in the last minute ${minute} (imbalance ${imbalance}), while passive ${absorption} orders hold the price.`
    : sentence`In today’s order flow ${today} (delta ${delta}) and in the last minute ${minute} (imbalance ${imbalance}).`;
}

function signalSentence(facts: BriefFacts): WrittenBrief | null {
  const [all, buys, sells] = of(facts, 'signals', 'buy_signals', 'sell_signals');
  if (!all || all.value === 0) return sentence`No signal on it is active.`;
  const [direction, target, toTarget, stop, toStop] = of(
    facts,
    's1_direction',
    's1_target',
    's1_to_target',
    's1_stop',
    's1_to_stop',
  );
  const are: Words = { words: all.value === 1 ? 'signal is' : 'signals are' };
  return (
    sentence`${all} ${are} active (${buys} to buy, ${sells} to sell); the one nearest to its end, a ${direction}, is ${toTarget} pips from its target ${target} and ${toStop} pips from its stop ${stop}.` ??
    sentence`${all} ${are} active (${buys} to buy, ${sells} to sell).`
  );
}

const of = (facts: BriefFacts, ...ids: string[]): (BriefFact | undefined)[] => ids.map((id) => facts.get(id));
