// The result of an evaluation, as text and as JSON.
import { wilsonInterval } from '@tickwire/engine';
import { type Evaluation, LABELS, type Label, labelRule } from '@tickwire/sentiment';
import { formatCount as count, formatDuration as duration } from '../../ops/progress.ts';
import { table } from '../../ops/table.ts';

export interface EvaluationResult {
  readonly file: string;
  readonly model: string;
  readonly category: string | null;
  readonly ms: number;
  /** With the published labels. */
  readonly evaluation: Evaluation;
  /** With the label of the highest probability. */
  readonly likeliest: Evaluation;
  /** By the category column of the file; `none` for rows without one. */
  readonly byCategory: ReadonlyMap<string, Evaluation>;
  readonly unknown: ReadonlyMap<string, number>;
}

const NAMES = { negative: 'bearish', neutral: 'neutral', positive: 'bullish' } as const satisfies Record<Label, string>;

const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);
const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

export function evaluationText({
  file,
  model,
  category,
  ms,
  evaluation,
  likeliest,
  byCategory,
  unknown,
}: EvaluationResult): string {
  const { calibration } = evaluation;
  const least = percent(labelRule(category ?? undefined).leastConfidence);
  const leftOut = [...unknown.values()].reduce((sum, rows) => sum + rows, 0);
  return [
    `${file}: ${count(evaluation.count)} texts by ${model} in ${duration(ms)}\n`,
    indented(
      table(
        ['', 'accuracy', 'macro-F1'],
        [
          [`as published (undecided below ${least})`, percent(evaluation.accuracy), percent(evaluation.macroF1)],
          ['by the most probable label', percent(likeliest.accuracy), percent(likeliest.macroF1)],
        ],
      ),
    ),
    byCategory.size > 1 ? `\n  By category:\n${indented(categoryTable(byCategory))}` : '',
    '\n  As published:\n',
    indented(
      table(
        ['label', 'precision', 'recall', 'F1', 'texts', ...LABELS.map((label) => `as ${NAMES[label]}`)],
        LABELS.map((label) => {
          const { precision, recall, f1, support } = evaluation.labels[label];
          const given = LABELS.map((each) => count(evaluation.confusion[label][each]));
          return [NAMES[label], percent(precision), percent(recall), percent(f1), count(support), ...given];
        }),
      ),
    ),
    `\n  Calibration: expected error ${percent(calibration.expectedError)}, Brier score ${calibration.brier.toFixed(3)}\n`,
    indented(
      table(
        ['probability', 'texts', 'mean', 'correct'],
        calibration.bins
          .filter(({ count: texts }) => texts > 0)
          .map((bin) => [
            `${bin.from.toFixed(1)}–${bin.to.toFixed(1)}`,
            count(bin.count),
            percent(bin.confidence),
            percent(bin.accuracy),
          ]),
      ),
    ),
    leftOut > 0 ? `\n  Left out: ${count(leftOut)} rows with unknown labels (${listUnknownLabels(unknown)})\n` : '',
  ].join('');
}

/** The most frequent labels first. */
export function listUnknownLabels(unknown: ReadonlyMap<string, number>): string {
  const all = [...unknown].sort(([, a], [, b]) => b - a);
  const shown = all.slice(0, 8).map(([label, rows]) => `${JSON.stringify(label)} × ${count(rows)}`);
  return `${shown.join(', ')}${all.length > shown.length ? ', …' : ''}`;
}

export function evaluationJson(result: EvaluationResult): object {
  const { file, model, category, evaluation, likeliest, byCategory, unknown } = result;
  const { bins, expectedError, brier } = evaluation.calibration;
  return {
    file,
    model,
    category,
    texts: evaluation.count,
    left_out: Object.fromEntries(unknown),
    accuracy: evaluation.accuracy,
    macro_f1: evaluation.macroF1,
    likeliest: { accuracy: likeliest.accuracy, macro_f1: likeliest.macroF1 },
    categories: Object.fromEntries(
      [...byCategory].map(([name, each]) => [
        name,
        { texts: each.count, accuracy: each.accuracy, interval: accuracyInterval(each), macro_f1: each.macroF1 },
      ]),
    ),
    labels: perName((label) => evaluation.labels[label]),
    confusion: perName((label) => perName((given) => evaluation.confusion[label][given])),
    calibration: { expected_error: expectedError, brier, bins },
  };
}

const perName = <T>(value: (label: Label) => T): Record<string, T> =>
  Object.fromEntries(LABELS.map((label) => [NAMES[label], value(label)]));

/** 95 % confidence interval of the accuracy. */
const accuracyInterval = ({ accuracy, count }: Evaluation): readonly number[] =>
  wilsonInterval(accuracy * count, count);

const categoryTable = (byCategory: ReadonlyMap<string, Evaluation>): string =>
  table(
    ['category', 'texts', 'accuracy', '95 % interval', 'macro-F1', 'commonest label'],
    [...byCategory].map(([name, each]) => [
      name,
      count(each.count),
      percent(each.accuracy),
      accuracyInterval(each).map(percent).join(' – '),
      percent(each.macroF1),
      percent(Math.max(...LABELS.map((label) => each.labels[label].support)) / each.count),
    ]),
  );
