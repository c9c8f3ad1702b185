/** Text that is compared byte by byte, as in SQLite. */
export const WORD = 'TEXT COLLATE "C"';
