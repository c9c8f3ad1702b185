// Writes golden.json again, with the same texts and the probabilities of this code: for a new model file, or after a deliberate change
// of what the model reads. Any other change must leave them as they are.
import { writeFileSync } from 'node:fs';
import golden from './golden.json' with { type: 'json' };
import { model } from './model.ts';

const round = (share: number): number => Number(share.toFixed(6));
const rows = golden.map(({ text, target }) => {
  const { negative, neutral, positive } = model.classify(text, target);
  return {
    text,
    ...(target && { target }),
    negative: round(negative),
    neutral: round(neutral),
    positive: round(positive),
  };
});
writeFileSync(new URL('golden.json', import.meta.url), `${JSON.stringify(rows, null, 2)}\n`);
