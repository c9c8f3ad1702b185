// Writes model/calibration.json for a new model file, or after a deliberate change of what the model reads:
//   npm run calibration -w packages/sentiment
import { writeFileSync } from 'node:fs';
import { measureCalibration } from './measure-calibration.ts';
import { model } from './model.ts';

const file = new URL('../model/calibration.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(measureCalibration(model), null, 2)}\n`);
