// The real model, loaded once for all tests.
import { readFileSync } from 'node:fs';
import { loadModel, modelFile } from '../src/model.ts';

export const modelBytes = readFileSync(modelFile);
export const model = loadModel(modelBytes);
