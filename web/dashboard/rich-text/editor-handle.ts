import { type RefObject, useMemo } from 'react'
import { createStore, type Store } from '../core/store.ts'
import type { Mark } from './marks.ts'

/** A field for Markdown, with or without formatting. */
export interface EditorHandle {
  focus(): void
  /** Replaces the selection. */
  insert(markdown: string): void
  mark(mark: Mark): void
  /** The text of the paragraph up to the cursor; null if text is selected. */
  textBefore(): string | null
  /** Remembers the word of this length before the cursor. The result replaces it if it is still there, and returns whether it was. */
  holdWord(length: number): (markdown: string) => boolean
}

/** Refers to a field, and to the marks at its cursor. */
export interface EditorRef extends RefObject<EditorHandle | null> {
  marks: Store<readonly Mark[]>
}

const none: readonly Mark[] = []

export const useEditorRef = (): EditorRef => useMemo(() => ({ current: null, marks: createStore(none) }), [])

export interface ArticleField {
  /** The address at which this page can load a picture. */
  pictureOf(src: string): string
  /** Says why a text with this HTML tag is shown as plain Markdown. */
  explainHtml(tag: string): string
}

export interface FieldProps {
  editor: EditorRef
  value: string
  label: string
  placeholder?: string
  onChange(value: string): void
  /** Returns whether it has handled the key. */
  onKeyDown?(event: KeyboardEvent): boolean
  /** Returns whether it has taken the pasted or dropped data. */
  onPaste?(data: DataTransfer): boolean
  /** Returns whether it has taken the dropped files. */
  onDrop?(data: DataTransfer): boolean
  /** The text or the cursor has changed. */
  onLook?(): void
  onBlur?(): void
  /** Set if the text is an article and not a message. */
  article?: ArticleField
  /** Attributes of the field. */
  attributes?: Record<string, string>
  /** The parts of a paragraph that look like chips. */
  findChips?(text: string): [from: number, to: number][]
}

/** A word at the cursor, after one of the given characters. */
export interface Word {
  sign: string
  word: string
}

export function wordAt(before: string | null, signs: string): Word | null {
  const found = new RegExp(`(?:^|\\s)([${signs}])([^\\s${signs}]*(?: [^\\s${signs}]+)?)$`, 'u').exec(
    before?.slice(-40) ?? '',
  )
  return found ? { sign: found[1]!, word: found[2]! } : null
}

/** Like `holdWord` of the field, but also works if a field with formatting has replaced it since. */
export function holdWord(editor: EditorRef, length: number): (markdown: string) => void {
  const word = editor.current?.textBefore()?.slice(-length)
  const replace = editor.current?.holdWord(length)
  return markdown => {
    if (replace?.(markdown)) return
    const { current } = editor
    if (word && current?.textBefore()?.endsWith(word)) current.holdWord(length)(markdown)
  }
}
