/** Blanks, control characters, and signs that nobody sees. */
const invisible = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

export const isVisible = (text: string): boolean => !invisible.test(text)

/** Null where nobody would see anything. */
export const visibleOrNull = (text: string): string | null => (isVisible(text) ? text : null)

/** Lists of filters are divided by commas. */
export const isTag = (text: string): boolean => !/[,\p{Cc}]/u.test(text) && isVisible(text)
