import type { Editor } from '@tiptap/core'
import { type Node, Slice } from '@tiptap/pm/model'
import { Selection } from '@tiptap/pm/state'
import type { EditorHandle } from './editor-handle.ts'
import type { Mark } from './marks.ts'
import { parseMarkdown } from './read-markdown.ts'

const isPlainText = (doc: Node, text: string): boolean =>
  doc.childCount === 1 &&
  doc.child(0).children.every(({ isText, marks }) => isText && marks.length === 0) &&
  doc.textContent === text.trim()

const openAt = (block: Node | null): number => (block?.type.name === 'paragraph' ? 1 : 0)

/** Puts Markdown in place of a part of the document, and the cursor behind it. */
function put({ view }: Editor, words: string, from: number, to: number): void {
  const { tr } = view.state
  const doc = parseMarkdown(view.state.schema, words)
  if (isPlainText(doc, words)) tr.insertText(words, from, to)
  else {
    tr.replaceRange(from, to, new Slice(doc.content, openAt(doc.firstChild), openAt(doc.lastChild)))
    tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map(to)), -1))
  }
  view.dispatch(tr.scrollIntoView())
  view.focus()
}

type Commands = Record<Exclude<Mark, 'link'>, (editor: Editor) => boolean>

const commands: Commands = {
  bold: ({ commands }) => commands.toggleBold(),
  italic: ({ commands }) => commands.toggleItalic(),
  strike: ({ commands }) => commands.toggleStrike(),
  code: ({ commands }) => commands.toggleCode(),
  list: ({ commands }) => commands.toggleBulletList(),
  numbers: ({ commands }) => commands.toggleOrderedList(),
  quote: ({ commands }) => commands.toggleBlockquote(),
  codeBlock: ({ commands }) => commands.toggleCodeBlock(),
  heading: ({ commands }) => commands.toggleHeading({ level: 2 }),
  subheading: ({ commands }) => commands.toggleHeading({ level: 3 }),
  addRow: ({ commands }) => commands.addRowAfter(),
  table: ({ commands }) => commands.insertTable({ rows: 3, cols: 2, withHeaderRow: true }),
  addColumn: ({ commands }) => commands.addColumnAfter(),
  deleteColumn: ({ commands }) => commands.deleteColumn(),
  deleteRow: ({ commands }) => commands.deleteRow(),
  deleteTable: ({ commands }) => commands.deleteTable(),
}

const names: [Mark, string, Record<string, unknown>?][] = [
  ['heading', 'heading', { level: 2 }],
  ['subheading', 'heading', { level: 3 }],
  ...(['bold', 'italic', 'strike', 'code', 'link', 'codeBlock', 'table'] as const).map(
    (one): [Mark, string] => [one, one],
  ),
  ['list', 'bulletList'],
  ['numbers', 'orderedList'],
  ['quote', 'blockquote'],
]

export const marksAt = (editor: Editor): Mark[] =>
  names.filter(([, name, attributes]) => editor.isActive(name, attributes)).map(([mark]) => mark)

export const richHandleOf = (get: () => Editor, openLink: () => void): EditorHandle => ({
  focus: () => get().view.focus(),
  insert(words) {
    const { from, to } = get().state.selection
    put(get(), words, from, to)
  },
  mark(kind) {
    if (kind === 'link') {
      // The form is about the whole link at the cursor.
      if (get().isActive('link')) get().commands.extendMarkRange('link')
      return openLink()
    }
    get().view.focus()
    commands[kind](get())
  },
  textBefore() {
    const { $from, empty } = get().state.selection
    if (!empty || $from.parent.type.spec.code || get().isActive('code')) return null
    return $from.parent.textBetween(0, $from.parentOffset, '', '\n')
  },
  holdWord(length) {
    const editor = get()
    const to = editor.state.selection.from
    const from = Math.max(0, to - length)
    const word = editor.state.doc.textBetween(from, to)
    return words => {
      const { doc } = editor.state
      if (editor.isDestroyed || to > doc.content.size || doc.textBetween(from, to) !== word) return false
      put(editor, words, from, to)
      return true
    }
  },
})
