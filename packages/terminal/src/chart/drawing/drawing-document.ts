// The stored document of an instrument's drawings, and how two versions of it become one. Every field is checked: another program
// or a broken device may have written it.
import {
  ANCHORS,
  type Anchor,
  COLORS,
  type Drawing,
  KINDS,
  LINE_STYLES,
  MAX_DRAWINGS,
  MAX_TEXT,
  positionPoints,
  WIDTHS,
} from './drawing.ts';

/** Remembers that a drawing was deleted, so that another device does not bring it back. */
export interface Deletion {
  readonly id: string;
  readonly changed: number;
}

export interface DrawingDocument {
  readonly drawings: readonly Drawing[];
  readonly deleted: readonly Deletion[];
}

export const EMPTY: DrawingDocument = { drawings: [], deleted: [] };

/** Two devices may each have drawn the maximum while they were apart: neither loses any. */
const MAX_READ = 2 * MAX_DRAWINGS;
const MAX_DELETIONS = 100;
/** A device that was away for longer may bring back what was deleted. */
const DELETIONS_KEPT_MS = 60 * 86_400_000;
/** Clocks differ by so much. A later change counts as one of now, or it would be valid forever. */
const CLOCK_SKEW_MS = 300_000;
const MAX_TIME_MS = 8.64e15;
const MAX_PRICE = 1e12;

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => Object(value);
const isNumber = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most;

/** What can be read of a document; never throws. */
export function parseDocument(stored: unknown, now: number): DrawingDocument {
  const { drawings, deleted } = fieldsOf(stored);
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  return merged(
    {
      drawings: list(drawings)
        .slice(0, MAX_READ)
        .flatMap((each) => parseDrawing(each, now) ?? []),
      deleted: list(deleted)
        .slice(0, MAX_DELETIONS)
        .flatMap((each) => parseDeletion(each, now) ?? []),
    },
    EMPTY,
  );
}

export const serialise = ({ drawings, deleted }: DrawingDocument, now: number): object => ({
  drawings: drawings.map(({ points, text, ...rest }) => ({
    ...rest,
    points: points.map(({ time, price }) => [time, price]),
    ...(text !== '' && { text }),
  })),
  deleted: deleted
    .filter(({ changed }) => now - changed < DELETIONS_KEPT_MS)
    .toSorted((one, other) => other.changed - one.changed)
    .slice(0, MAX_DELETIONS),
});

export function parseDrawing(stored: unknown, now: number): Drawing | null {
  const { id, kind: named, points: given, color, width, style, text, changed } = fieldsOf(stored);
  const kind = KINDS.find((each) => each === named);
  if (!isId(id) || !kind || !Array.isArray(given) || given.length !== ANCHORS[kind]) return null;
  const points = given.map(parseAnchor).filter((point) => point !== null);
  if (points.length !== ANCHORS[kind]) return null;
  const written = kind === 'text' && typeof text === 'string' ? text.slice(0, MAX_TEXT) : '';
  if (kind === 'text' && written.trim() === '') return null;
  return {
    id,
    kind,
    points: kind === 'position' ? positionPoints(points) : points,
    color: COLORS.find((each) => each === color) ?? 'accent',
    width: WIDTHS.find((each) => each === width) ?? 2,
    style: LINE_STYLES.find((each) => each === style) ?? 'solid',
    text: written,
    changed: parseChanged(changed, now),
  };
}

function parseDeletion(stored: unknown, now: number): Deletion | null {
  const { id, changed } = fieldsOf(stored);
  return isId(id) ? { id, changed: parseChanged(changed, now) } : null;
}

function parseAnchor(stored: unknown): Anchor | null {
  if (!Array.isArray(stored)) return null;
  const [time, price]: readonly unknown[] = stored;
  return isNumber(time, MAX_TIME_MS) && isNumber(price, MAX_PRICE) ? { time: Math.round(time), price } : null;
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,40}$/.test(value);

const parseChanged = (value: unknown, now: number): number =>
  isNumber(value, MAX_TIME_MS) && value >= 0 ? Math.min(value, now + CLOCK_SKEW_MS) : 0;

/**
 * Both versions together: of each drawing, the last change. Equal for both orders of the arguments except for the order of the
 * drawings; a deletion wins over a change at the same time.
 */
export function merged(one: DrawingDocument, other: DrawingDocument): DrawingDocument {
  const drawings = new Map<string, Drawing>();
  for (const each of [...one.drawings, ...other.drawings]) {
    const known = drawings.get(each.id);
    if (!known || isLater(each, known)) drawings.set(each.id, each);
  }
  const deleted = new Map<string, Deletion>();
  for (const each of [...one.deleted, ...other.deleted])
    if (each.changed >= (deleted.get(each.id)?.changed ?? 0)) deleted.set(each.id, each);
  for (const { id, changed } of drawings.values()) {
    const deletion = deleted.get(id);
    if (deletion && deletion.changed >= changed) drawings.delete(id);
    else if (deletion) deleted.delete(id);
  }
  return { drawings: [...drawings.values()], deleted: [...deleted.values()] };
}

/** Both devices must choose the same of two changes at the same time. */
function isLater(one: Drawing, other: Drawing): boolean {
  if (one.changed !== other.changed) return one.changed > other.changed;
  return JSON.stringify(one) > JSON.stringify(other);
}
