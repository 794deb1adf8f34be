import { escapeHtml } from '../core/text/markdown.ts'

/** HTML that is not escaped again: made by `html`, or marked as safe by `trusted`. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Value = Html | string | number | null | undefined | false | Value[]

function print(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(print).join('')
  if (value === null || value === undefined || value === false) return ''
  return escapeHtml(String(value))
}

/** A template that escapes all values except `Html`. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.map((part, at) => (at === 0 ? part : print(values[at - 1]) + part)).join(''))

/** For HTML that is known to be safe: sanitised articles, and highlights of the search. */
export const trusted = (text: string): Html => new Html(text)

/** JSON for a script element. Nothing in it can end the element. */
export const json = (value: unknown): Html =>
  trusted(JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, unicodeEscape))

const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
