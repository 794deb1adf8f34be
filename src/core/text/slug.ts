import { trimEnd } from './trim.ts'

const maxLength = 100

const trimDashes = (text: string): string => trimEnd(text.replace(/^-+/, ''), /-/)

/** A name for URLs: lower-case letters of any script, digits, single hyphens. Empty if the text contains none of these. */
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

/** The same with ASCII letters only. */
export const asciiSlug = (text: string): string =>
  trimDashes(trimDashes(slugify(text).replaceAll(/[^a-z0-9]+/g, '-')).slice(0, 50))
