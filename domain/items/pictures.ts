/** Most pictures of an item. */
export const MOST_PICTURES = 8;
