/** Characters. A header line may have 998 bytes, and text without spaces cannot be folded. */
const maxLength = 900

const controls = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/** A text on one line for a header: without line breaks, control characters and characters that change the direction of reading. */
export const cleanHeader = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(controls, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .replace(/[\ud800-\udbff]$/, '')

/** The Message-ID without angle brackets; null if it cannot be written in a header. */
export function cleanMailId(id: string): string | null {
  const bare = id.trim().replace(/^<|>$/g, '')
  return /^[\x21-\x7e]+$/.test(bare) && !/[<>]/.test(bare) && bare.length <= maxLength ? bare : null
}
