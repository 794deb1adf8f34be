import { type Mark, mark } from './marking.ts'

/** Changes a text field as if by typing, so that the browser's own undo works. */

/** Replaces the selection, or the `before` characters in front of it. */
export function replaceText(field: HTMLTextAreaElement, words: string, before = 0): void {
  field.focus()
  field.setSelectionRange(field.selectionStart - before, field.selectionEnd)
  if (document.execCommand('insertText', false, words)) return
  field.setRangeText(words, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Replaces a word that was typed at this position, if it is still there. The cursor stays in place. */
export function replaceWord(field: HTMLTextAreaElement, at: number, word: string, words: string): void {
  const end = at + word.length
  if (!field.isConnected || field.value.slice(at, end) !== word) return
  const cursor = field.selectionStart
  field.setSelectionRange(end, end)
  replaceText(field, words, word.length)
  if (cursor > end)
    field.setSelectionRange(cursor + words.length - word.length, cursor + words.length - word.length)
}

/** Puts Markdown around the selection, or at the start of its lines. The second time removes it. */
export function wrapText(field: HTMLTextAreaElement, kind: Mark): void {
  const { selectionStart: from, selectionEnd: to, value } = field
  const { at, words, select } = mark({ value, from, to }, kind)
  field.setSelectionRange(...at)
  if (value.slice(...at) !== words) replaceText(field, words)
  field.setSelectionRange(...select)
}

export interface Word {
  sign: string
  word: string
}

/** The word that starts with one of the signs and ends at the cursor. */
export function wordAt(field: HTMLTextAreaElement, signs: string): Word | null {
  if (field.selectionStart !== field.selectionEnd) return null
  const before = field.value.slice(Math.max(0, field.selectionStart - 40), field.selectionStart)
  const found = new RegExp(`(?:^|\\s)([${signs}])([^\\s${signs}]*(?: [^\\s${signs}]+)?)$`, 'u').exec(before)
  return found ? { sign: found[1]!, word: found[2]! } : null
}
