// Replaced by `npm run pack`, so that packages and executables contain the notices of everything in them.

/** The path of a text file, or null in a checkout. */
export const noticesFile: string | null = null;
