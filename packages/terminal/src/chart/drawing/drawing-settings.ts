// How drawings behave in this browser, for all instruments.
import { type RecordStorage, readRecord, storeRecord } from '../../ui/stored-record.ts';
import { COLORS, type ColorName, type DrawingStyle, LINE_STYLES, type LineWidth, WIDTHS } from './drawing.ts';

export interface DrawingSettings {
  /** Anchors snap to open, high, low and close. */
  readonly magnet: boolean;
  /** Nothing can be grabbed. */
  readonly locked: boolean;
  readonly hidden: boolean;
  /** Of the next drawing. */
  readonly color: ColorName;
  readonly width: LineWidth;
  readonly style: DrawingStyle;
}

const NAME = 'tickwire.drawing';

export function readSettings(storage: RecordStorage): DrawingSettings {
  const { magnet, locked, hidden, color, width, style } = readRecord(storage, NAME);
  return {
    magnet: magnet === true,
    locked: locked === true,
    hidden: hidden === true,
    color: COLORS.find((each) => each === color) ?? 'accent',
    width: WIDTHS.find((each) => each === width) ?? 2,
    style: LINE_STYLES.find((each) => each === style) ?? 'solid',
  };
}

export const storeSettings = (storage: RecordStorage, settings: DrawingSettings): boolean =>
  storeRecord(storage, NAME, settings);
