// `tickwire ai`: how good the local model is on a labelled file of anybody's, and what it says of a text.
import { readFileSync } from 'node:fs';
import { NEWS_CATEGORIES, type NewsCategory } from '@tickwire/contract';
import {
  evaluate,
  inCategory,
  type LabelledText,
  likeliest,
  loadModel,
  modelFile,
  predict,
  type SentimentModel,
} from '@tickwire/sentiment';
import { csvRows } from '../ai/eval/csv-rows.ts';
import { LabelledRows, readMap } from '../ai/eval/labelled-rows.ts';
import { named, report, summary } from '../ai/eval/report.ts';
import { scoreOf } from '../ai/sentiment-label.ts';
import { ImportError } from '../import/import-error.ts';
import { Progress } from '../import/progress.ts';
import { SIZE_LIMITS } from '../import/size-guard.ts';
import { SourceFile } from '../import/source-file.ts';
import { type Arguments, readArguments, UsageError } from './arguments.ts';

const USAGE = 'usage: tickwire ai eval FILE.csv, or tickwire ai score "TEXT"';
const HELP = `tickwire ai eval FILE.csv [--text COLUMN] [--label COLUMN] [--map 0=bearish,1=bullish,2=neutral] [--category C] [--json]
tickwire ai score "TEXT" [--category C]

eval: accuracy, macro-F1, confusion and calibration of the local sentiment model on texts that people have labelled. The file
is CSV (quoted where needed; commas, semicolons or tabs), plain, gzipped or zipped, with a header or without.
score: label, score and model of one text.

  --text COLUMN        name or number of the column with the text (text, title, headline, …; else the first)
  --label COLUMN       name or number of the column with the label (label, sentiment, …; else the second)
  --map LABEL=MEANING  what labels mean that are not bullish or positive, neutral, bearish or negative
  --category C         thresholds of ${NEWS_CATEGORIES.join(', ')}
  --json               the result as JSON
`;

export async function ai(args: string[]): Promise<number> {
  const given = readArguments(args, { values: ['text', 'label', 'map', 'category'], switches: ['json'] });
  if (given.on.has('help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const [act, subject, ...more] = given.words;
  if ((act !== 'eval' && act !== 'score') || subject === undefined || more.length > 0) throw new UsageError(USAGE);
  const category = categoryOf(given.flags.category);
  const model = loadModel(readFileSync(modelFile));
  if (act === 'eval') return evaluateFile(model, subject, category, given);
  const {
    sentiment,
    score,
    model: version,
  } = scoreOf(inCategory(model.classify(subject), category ?? undefined).score, category, model.version);
  process.stdout.write(
    given.on.has('json')
      ? `${JSON.stringify({ sentiment, sentiment_score: score, model: version })}\n`
      : `${sentiment}  ${score}  ${version}\n`,
  );
  return 0;
}

async function evaluateFile(
  model: SentimentModel,
  path: string,
  category: NewsCategory | null,
  { flags, on }: Arguments,
): Promise<number> {
  const map = flags.map === undefined ? new Map() : readMap(flags.map);
  if (!map)
    throw new UsageError(`--map is ${JSON.stringify(flags.map)}: it must be such as 0=bearish,1=bullish,2=neutral`);
  const rows = new LabelledRows({ text: flags.text, label: flags.label, map });
  const texts = await readTexts(path, rows);
  const progress = new Progress({
    label: 'ai eval',
    terminal: process.stderr.isTTY,
    write: (text) => process.stderr.write(text),
  });
  const predictions = texts.flatMap((text, index) => {
    progress.update(index, texts.length, index);
    return predict(model, [{ ...text, category: category ?? undefined }]);
  });
  progress.end();
  const evaluated = {
    file: path,
    model: model.version,
    category,
    ms: progress.elapsedMs,
    evaluation: evaluate(predictions),
    likeliest: evaluate(predictions.map((each) => ({ ...each, label: likeliest(each.sentiment) }))),
    unknown: rows.unknown,
  };
  process.stdout.write(on.has('json') ? `${JSON.stringify(report(evaluated), null, 2)}\n` : summary(evaluated));
  return 0;
}

async function readTexts(path: string, rows: LabelledRows): Promise<LabelledText[]> {
  const texts: LabelledText[] = [];
  try {
    const source = await SourceFile.open(path, SIZE_LIMITS);
    try {
      for (const entry of await source.entries()) {
        for await (const row of csvRows(entry.chunks())) {
          const labelled = rows.read(row);
          if (labelled) texts.push(labelled);
        }
      }
    } finally {
      await source.close();
    }
    if (texts.length === 0) throw nothingIn(rows);
    return texts;
  } catch (error) {
    throw ImportError.in(path, error);
  }
}

const nothingIn = ({ unknown }: LabelledRows): ImportError =>
  unknown.size === 0
    ? new ImportError('empty_file', 'it holds no labelled texts')
    : new ImportError(
        'wrong_columns',
        `none of its labels is known (${named(unknown)}): say with --map what they mean, or with --label where they stand`,
      );

function categoryOf(text: string | undefined): NewsCategory | null {
  if (text === undefined) return null;
  const category = NEWS_CATEGORIES.find((each) => each === text);
  if (category) return category;
  throw new UsageError(`--category is ${JSON.stringify(text)}: it must be one of ${NEWS_CATEGORIES.join(', ')}`);
}
