import { readFileSync } from 'node:fs';
import { loadModel } from './model.ts';
import { modelFile } from './model-file-url.ts';

export const modelBytes = readFileSync(modelFile);
export const model = loadModel(modelBytes);
