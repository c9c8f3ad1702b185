/** The UTC day a time lies in, as 2014-05-01: the tape is kept by it. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
