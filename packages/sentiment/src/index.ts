export type { Calibration, Prediction, ReliabilityBin } from './calibration.ts';
export * from './evaluate.ts';
export * from './labels.ts';
export { loadModel, type Sentiment, type SentimentModel } from './model.ts';
export { ModelFileError } from './model-file.ts';
export { modelFile } from './model-file-url.ts';
export { MAX_CHARACTERS } from './normalise.ts';
export type { Target } from './target.ts';
export { MAX_PIECES, MAX_WORDS } from './tokens.ts';
