/**
 * The spelling by which a word is indexed and searched: lower case, without accents, in Unicode's compatibility form.
 * Folding a folded text does not change it.
 */

// Combining accents of Latin, Greek and Cyrillic; vowel points of Arabic and Hebrew; Devanagari's nukta; marks without a meaning of
// their own, such as the soft hyphen. Vowels of Indic scripts and of Thai are marks too, but parts of their words.
const dropped =
  /\p{Cf}|[\u0300-\u036f\u0483-\u0487]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|\u0640|[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]|\u093c|[\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu

/** Letters without a Unicode decomposition, and letters that people use interchangeably. */
const replaced: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  ґ: 'г',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  '\u0901': '\u0902',
}
const replaceable = /[ßæœøłđðþħıςґىیکة\u0901]/g

/** The digit zero of each script with digits of its own. */
const zeros = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0,
  0xff10,
]
const foreignDigit = /[\p{Nd}--[0-9]]/gv

function toDigit(sign: string): string {
  const code = sign.codePointAt(0)!
  const zero = zeros.find(first => code >= first && code < first + 10)
  return zero === undefined ? sign : String(code - zero)
}

const ascii = /^[\0-\x7f]*$/

/** Converts digits of any script to ASCII digits. The length of the text stays the same. */
export const foldDigits = (text: string): string =>
  ascii.test(text) ? text : text.replace(foreignDigit, sign => (sign.length === 1 ? toDigit(sign) : sign))

/** More marks on one letter than any language uses. Normalization sorts them, which takes quadratic time. */
const tooManyMarks = /(\p{M}{8})\p{M}+/gu

export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .replace(tooManyMarks, '$1')
    .normalize('NFKD')
    .replace(dropped, '')
    .toLowerCase()
    .replace(dropped, '')
    .replace(replaceable, sign => replaced[sign]!)
    .replace(foreignDigit, toDigit)
    .normalize('NFC')
}
