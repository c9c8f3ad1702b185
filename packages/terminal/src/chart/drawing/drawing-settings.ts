// How drawings behave in this browser, for all instruments.
import { type RecordStorage, readRecord, storeRecord } from '../../ui/stored-record.ts';
import { COLORS, type ColorName, type LineWidth, WIDTHS } from './drawing.ts';

export interface DrawingSettings {
  /** Anchors snap to open, high, low and close. */
  readonly magnet: boolean;
  /** Nothing can be grabbed. */
  readonly locked: boolean;
  readonly hidden: boolean;
  /** Of the next drawing. */
  readonly color: ColorName;
  readonly width: LineWidth;
}

const NAME = 'tickwire.drawing';

export function readSettings(storage: RecordStorage): DrawingSettings {
  const { magnet, locked, hidden, color, width } = readRecord(storage, NAME);
  return {
    magnet: magnet === true,
    locked: locked === true,
    hidden: hidden === true,
    color: COLORS.find((each) => each === color) ?? 'accent',
    width: WIDTHS.find((each) => each === width) ?? 2,
  };
}

export const storeSettings = (storage: RecordStorage, settings: DrawingSettings): boolean =>
  storeRecord(storage, NAME, settings);
