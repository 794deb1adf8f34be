import type { EditorHandle } from './editor-handle.ts'
import { mark } from './marking.ts'
import type { Mark } from './marks.ts'

/** Changes a text field as if by typing, so that the browser's own undo works. */

/** Replaces the selection, or the `before` characters in front of it. */
export function replaceText(field: HTMLTextAreaElement, words: string, before = 0): void {
  field.focus()
  field.setSelectionRange(field.selectionStart - before, field.selectionEnd)
  if (document.execCommand('insertText', false, words)) return
  field.setRangeText(words, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Replaces a word that was typed at this position, and returns whether it was still there. The cursor stays in place. */
function replaceWord(field: HTMLTextAreaElement, at: number, word: string, words: string): boolean {
  const end = at + word.length
  if (!field.isConnected || field.value.slice(at, end) !== word) return false
  const cursor = field.selectionStart
  field.setSelectionRange(end, end)
  replaceText(field, words, word.length)
  if (cursor > end)
    field.setSelectionRange(cursor + words.length - word.length, cursor + words.length - word.length)
  return true
}

/** Puts Markdown around the selection, or at the start of its lines. The second time removes it. */
function wrapText(field: HTMLTextAreaElement, kind: Mark): void {
  const { selectionStart: from, selectionEnd: to, value } = field
  const { at, words, select } = mark({ value, from, to }, kind)
  field.setSelectionRange(...at)
  if (value.slice(...at) !== words) replaceText(field, words)
  field.setSelectionRange(...select)
}

export const handleOf = (field: () => HTMLTextAreaElement): EditorHandle => ({
  focus: () => field().focus(),
  insert: words => replaceText(field(), words),
  mark: kind => wrapText(field(), kind),
  textBefore: () =>
    field().selectionStart === field().selectionEnd ? field().value.slice(0, field().selectionStart) : null,
  holdWord(length) {
    const held = field()
    const at = held.selectionStart - length
    const word = held.value.slice(at, held.selectionStart)
    return words => replaceWord(held, at, word, words)
  },
})
