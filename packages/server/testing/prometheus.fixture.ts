// A strict parser of the Prometheus text format 0.0.4: it throws on anything that a scraper might reject.

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;

export function parsePrometheus(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line must end with a line feed');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let name = '';
  let family: Family = { type: '', help: '', samples: [] };
  let help: [string, string] | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line);
    if (comment?.[1] === 'HELP') help = [comment[2]!, comment[3]!];
    else if (comment) {
      name = comment[2]!;
      family = { type: comment[3]!, help: help?.[1] ?? '', samples: [] };
      if (help?.[0] !== name) throw new Error(`TYPE without HELP: ${line}`);
      if (families.has(name)) throw new Error(`duplicate family: ${name}`);
      if (!['counter', 'gauge', 'histogram'].includes(family.type)) throw new Error(`unknown type: ${line}`);
      families.set(name, family);
    } else {
      const sample = readSample(line);
      const base = family.type === 'histogram' ? sample.name.replace(/_(bucket|sum|count)$/, '') : sample.name;
      if (base !== name) throw new Error(`sample outside its family: ${line}`);
      const identity = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(identity)) throw new Error(`duplicate sample: ${line}`);
      seen.add(identity);
      family.samples.push(sample);
    }
  }
  for (const each of families) check(...each);
  return families;
}

function readSample(line: string): Sample {
  const match = SAMPLE.exec(line);
  if (!match) throw new Error(`not a sample: ${JSON.stringify(line)}`);
  const labels: Record<string, string> = {};
  const text = match[2] ?? '';
  LABEL.lastIndex = 0;
  for (let at = 0; at < text.length; at = LABEL.lastIndex) {
    const label = LABEL.exec(text);
    if (!label) throw new Error(`bad labels: ${line}`);
    labels[label[1]!] = label[2]!.replace(/\\(["\\n])/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
  }
  const value = match[3] === '+Inf' ? Number.POSITIVE_INFINITY : Number(match[3]);
  if (Number.isNaN(value)) throw new Error(`not a number: ${line}`);
  return { name: match[1]!, labels, value };
}

function check(name: string, { type, samples }: Family): void {
  if (type === 'counter' && !name.endsWith('_total')) throw new Error(`a counter must end in _total: ${name}`);
  if (type === 'counter' && samples.some(({ value }) => value < 0)) throw new Error(`a negative counter: ${name}`);
  if (type !== 'histogram') return;
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
  const bounds = buckets.map(({ labels }) => (labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)));
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`no +Inf: ${name}`);
  buckets.forEach(({ value }, index) => {
    if (index === 0) return;
    if (!(bounds[index]! > bounds[index - 1]!)) throw new Error(`bounds do not increase: ${name}`);
    if (value < buckets[index - 1]!.value) throw new Error(`buckets do not increase: ${name}`);
  });
  const count = samples.find((sample) => sample.name === `${name}_count`);
  if (count?.value !== buckets.at(-1)!.value) throw new Error(`count is not the last bucket: ${name}`);
  if (!samples.some((sample) => sample.name === `${name}_sum`)) throw new Error(`no sum: ${name}`);
}
