// `tickwire ai`: evaluates the local sentiment model on a labelled file, or scores a text.
import { readFileSync } from 'node:fs';
import { NEWS_CATEGORIES, type NewsCategory } from '@tickwire/contract';
import {
  calibrated,
  evaluate,
  type LabelledText,
  likeliest,
  loadModel,
  modelFile,
  predict,
  type SentimentModel,
} from '@tickwire/sentiment';
import { evaluationJson, evaluationText, listUnknownLabels } from '../ai/eval/evaluation-report.ts';
import { LabelledRows, parseLabelMap } from '../ai/eval/labelled-rows.ts';
import { textRows } from '../ai/eval/text-rows.ts';
import { withProbabilities } from '../ai/scorer.ts';
import { SIZE_LIMITS } from '../import/files/size-guard.ts';
import { SourceFile } from '../import/files/source-file.ts';
import { ImportError } from '../import/import-error.ts';
import { stderrProgress } from '../ops/progress.ts';
import { type Arguments, printHelp, readArguments, UsageError } from './arguments.ts';
import { invalidFlag, oneOf } from './flag-values.ts';

const USAGE = 'usage: tickwire ai eval FILE.csv, or tickwire ai score "TEXT"';
const HELP = `tickwire ai eval FILE.csv [--text COLUMN] [--label COLUMN] [--map 0=bearish,1=bullish,2=neutral] [--category C] [--json]
tickwire ai score "TEXT" [--category C]

eval prints accuracy, macro-F1, confusion matrix and calibration of the local sentiment model on labelled texts. The file is
CSV (separated by commas, semicolons or tabs), plain, gzip or zip, with or without a header.
score prints label, score and model version of a text.

  --text COLUMN        name or number of the text column (default: text, title, headline, …, or the first)
  --label COLUMN       name or number of the label column (default: label, sentiment, …, or the second)
  --map LABEL=MEANING  meaning of labels other than bullish, positive, neutral, bearish and negative
  --category C         category of all texts, instead of a column named category: ${NEWS_CATEGORIES.join(', ')}
  --json               print the result as JSON
`;

export async function ai(args: string[]): Promise<number> {
  const given = readArguments(args, { values: ['text', 'label', 'map', 'category'], switches: ['json'] });
  if (printHelp(given.on, HELP)) return 0;
  const [action, subject, ...more] = given.words;
  if ((action !== 'eval' && action !== 'score') || subject === undefined || more.length > 0)
    throw new UsageError(USAGE);
  const category = categoryOf(given.flags.category);
  const model = loadModel(readFileSync(modelFile));
  if (action === 'eval') return evaluateFile(model, subject, category, given);
  const probabilities = calibrated(model.classify(subject, undefined, category ?? undefined), category ?? undefined);
  const { sentiment, score, certainty } = withProbabilities(probabilities, category, model.version);
  const { confidence, undecided } = certainty!;
  process.stdout.write(
    given.on.has('json')
      ? `${JSON.stringify({ sentiment, sentiment_score: score, model: model.version, certainty })}\n`
      : `${sentiment}  ${score}  ${model.version}  ${Math.round(confidence * 100)} % sure${undecided ? ', undecided' : ''}\n`,
  );
  return 0;
}

async function evaluateFile(
  model: SentimentModel,
  path: string,
  category: NewsCategory | null,
  { flags, on }: Arguments,
): Promise<number> {
  const map = flags.map === undefined ? new Map() : parseLabelMap(flags.map);
  if (!map) throw invalidFlag('--map', flags.map!, 'like 0=bearish,1=bullish,2=neutral');
  const rows = new LabelledRows({ text: flags.text, label: flags.label, map });
  const texts = await readTexts(path, rows);
  const progress = stderrProgress('ai eval');
  const predictions = texts.flatMap((text, index) => {
    progress.update(index, texts.length, index);
    return predict(model, [{ ...text, category: category ?? text.category }]);
  });
  progress.end();
  const evaluated = {
    file: path,
    model: model.version,
    category,
    ms: progress.elapsedMs,
    evaluation: evaluate(predictions),
    likeliest: evaluate(predictions.map((each) => ({ ...each, label: likeliest(each.sentiment) }))),
    byCategory: new Map(
      [...Map.groupBy(predictions.keys(), (index) => texts[index]!.category)].map(([name, indexes]) => [
        name ?? 'none',
        evaluate(indexes.map((index) => predictions[index]!)),
      ]),
    ),
    unknown: rows.unknown,
  };
  process.stdout.write(
    on.has('json') ? `${JSON.stringify(evaluationJson(evaluated), null, 2)}\n` : evaluationText(evaluated),
  );
  return 0;
}

async function readTexts(path: string, rows: LabelledRows): Promise<LabelledText[]> {
  const texts: LabelledText[] = [];
  try {
    const source = await SourceFile.open(path, SIZE_LIMITS);
    try {
      for (const entry of await source.entries()) {
        for await (const row of textRows(entry.chunks())) {
          const labelled = rows.read(row);
          if (labelled) texts.push(labelled);
        }
      }
    } finally {
      await source.close();
    }
    if (texts.length === 0) throw noTexts(rows);
    return texts;
  } catch (error) {
    throw ImportError.in(path, error);
  }
}

const noTexts = ({ unknown }: LabelledRows): ImportError =>
  unknown.size === 0
    ? new ImportError('empty_file', 'the file contains no labelled texts')
    : new ImportError(
        'wrong_columns',
        `none of the labels is known (${listUnknownLabels(unknown)}); use --map to give their meaning, or --label to select the column`,
      );

const categoryOf = (text: string | undefined): NewsCategory | null =>
  text === undefined ? null : oneOf('--category', text, NEWS_CATEGORIES);
