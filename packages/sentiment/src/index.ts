export type { Calibration, Prediction, ReliabilityBin } from './calibration.ts';
export * from './evaluate.ts';
export * from './labels.ts';
export { loadModel, MODEL_VERSION, modelFile, type SentimentModel, type TextSentiment } from './model.ts';
export { ModelFileError } from './model-file.ts';
export { MAX_CHARACTERS } from './normalise.ts';
export * from './published-calibration.ts';
export type { SentimentTarget } from './target.ts';
export { MAX_PIECES, MAX_WORDS } from './tokenise.ts';
