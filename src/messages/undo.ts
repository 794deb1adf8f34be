/** The longest time in seconds that a reply can wait to be undone. */
export const longestUndo = 30
