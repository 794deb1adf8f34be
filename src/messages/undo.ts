/** The longest time in seconds that a reply can wait to be undone. */
export const maxUndoSeconds = 30

export const undoLimits = { minimum: 0, maximum: maxUndoSeconds }
