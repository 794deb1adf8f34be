import { trimEnd } from './trim.ts'

const maxLength = 100

const trimDashes = (text: string): string => trimEnd(text.replace(/^-+/, ''), /-/)

/** A name for an address: small letters of any script, digits, single hyphens. Empty when nothing of that is in the text. */
export function slugify(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/(?<=[a-z])[\u0300-\u036f]+/gi, '')
    .normalize('NFKC')
    .toLowerCase()
  return trimDashes(
    trimDashes(plain.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-'))
      .slice(0, maxLength)
      .toWellFormed(),
  ).replaceAll('\uFFFD', '')
}

/** The same with letters of English only. */
export const asciiSlug = (text: string): string =>
  trimDashes(trimDashes(slugify(text).replaceAll(/[^a-z0-9]+/g, '-')).slice(0, 50))
