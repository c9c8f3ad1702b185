// Two characters of the private-use area stand for names: the asset that a score is about, and any other one. The model has
// learnt what they mean, so a text must not bring its own.

/** The asset the score is about. */
export const TARGET = '\ue000';
/** Another asset: a ticker, or a name the caller gave. */
export const OTHER = '\ue001';

export const isMarker = (word: string): boolean => word === TARGET || word === OTHER;

export const withoutMarkers = (text: string): string => text.replace(/[\ue000\ue001]/g, ' ');

export const apart = (text: string): string => text.replace(/[\ue000\ue001]/g, ' $& ');
