/** Spaces, control characters, and invisible characters. */
const invisible = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

export const isVisible = (text: string): boolean => !invisible.test(text)

/** The text; null if it has no visible character. */
export const visibleOrNull = (text: string): string | null => (isVisible(text) ? text : null)

/** A name has a visible character, and no control characters or lone surrogates. */
export const isName = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text) && isVisible(text)

/** Tags must not contain commas, which separate the values of a filter. */
export const isTag = (text: string): boolean => !/[,\p{Cc}]/u.test(text) && isVisible(text)
