// Two private-use characters that replace names in a text: one for the asset that the score is about, one for any other.
// The model has learnt their meaning, so they are removed from incoming texts.

/** The asset that the score is about. */
export const TARGET = '\ue000';
/** Another asset: a ticker, or a name that the caller passed. */
export const OTHER = '\ue001';

export const isMarker = (word: string): boolean => word === TARGET || word === OTHER;

export const removeMarkers = (text: string): string => text.replace(/[\ue000\ue001]/g, ' ');

export const separateMarkers = (text: string): string => text.replace(/[\ue000\ue001]/g, ' $& ');
