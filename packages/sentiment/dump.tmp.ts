import { model } from './testing/model.ts';
import { readFileSync, writeFileSync } from 'node:fs';
const which = process.argv[2]!;
const rows = JSON.parse(readFileSync(`/tmp/own-${which}.json`, 'utf8'));
writeFileSync(`/tmp/own-${which}-p.json`, JSON.stringify(rows.map((r: any) => { const s = model.classify(r.text); return [r.category, r.label, s.negative, s.neutral, s.positive, r.text]; })));
