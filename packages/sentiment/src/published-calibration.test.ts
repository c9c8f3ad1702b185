import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { model } from '../testing/model.ts';
import { PUBLISHED_CALIBRATION } from './published-calibration.ts';

const percent = (share: number): string => (share * 100).toFixed(1);

test('the calibration is that of the model file', () => {
  expect(PUBLISHED_CALIBRATION.model).toBe(model.version);
});

test('the model card has its figures', () => {
  const card = readFileSync(new URL('../MODEL-CARD.md', import.meta.url), 'utf8');
  for (const { category, temperature, leastConfidence, development, blind } of PUBLISHED_CALIBRATION.categories) {
    const accuracy = `${percent(development.likeliestAccuracy)} → ${percent(development.accuracy)}`;
    const measured = `${percent(blind.expectedError)} % | ${blind.brier.toFixed(3)}`;
    expect(card).toContain(
      `| ${category} | ${temperature.toFixed(1)} | ${leastConfidence * 100} % | ${accuracy} | ${measured} |`,
    );
  }
});
