/** Seconds for which a reply can wait, so that it can be taken back. */
export const maxUndoSeconds = 30
