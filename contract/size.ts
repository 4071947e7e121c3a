/** Bytes that one request may hold. */
export const MOST_BYTES = 12 * 1024 * 1024;
export const TOO_LARGE = 'This is more than the 12 MB that one request may hold';
