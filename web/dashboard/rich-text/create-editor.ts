import { Editor } from '@tiptap/core'
import { Fragment, type Node, type ResolvedPos, Slice } from '@tiptap/pm/model'
import { Selection, TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { showPicturesAt } from './article-picture.ts'
import { createChips } from './chips.ts'
import type { FieldProps } from './editor-handle.ts'
import field from './field.module.css'
import { markOfKey } from './mark-keys.ts'
import { parseMarkdown, readMarkdown } from './read-markdown.ts'
import classes from './rich-text.module.css'
import { articleExtensions, messageExtensions } from './schema.ts'
import { writeMarkdown } from './write-markdown.ts'

const isEmpty = (doc: Node): boolean =>
  doc.childCount === 1 && doc.firstChild?.type.name === 'paragraph' && doc.firstChild.content.size === 0

/** Pasted text keeps its lines. It is not read as Markdown. */
function sliceOf(text: string, { parent }: ResolvedPos): Slice {
  const { schema } = parent.type
  const linesOf = (part: string) =>
    part
      .split(/\r?\n/)
      .flatMap((line, at) => [
        ...(at > 0 ? [schema.node('hardBreak')] : []),
        ...(line ? [schema.text(line)] : []),
      ])
  const parts = text.split(/(?:\r?\n){2,}/)
  return new Slice(Fragment.fromArray(parts.map(part => schema.node('paragraph', null, linesOf(part)))), 1, 1)
}

function markdownOf({ content }: Slice): string {
  const { schema } = content.firstChild?.type ?? {}
  const isInline = content.firstChild?.isInline
  const doc = schema?.topNodeType.createAndFill(
    null,
    isInline ? schema.node('paragraph', null, content) : content,
  )
  return doc ? writeMarkdown(doc) : content.textBetween(0, content.size, '\n')
}

/** The place in the document of a character of the text. */
function placeOf(doc: Node, value: string, cursor: number): Selection {
  if (cursor >= value.length) return Selection.atEnd(doc)
  const before = value.slice(0, cursor)
  const at = Math.max(0, parseMarkdown(doc.type.schema, before).content.size - 1)
  // Markdown drops spaces at the end, but here more text follows them.
  const spaces = before.slice(before.trimEnd().length)
  const end = Math.min(at + spaces.length, doc.content.size)
  const isInText = at < end && doc.textBetween(at, end) === spaces
  return Selection.near(doc.resolve(isInText ? end : Math.min(at, doc.content.size)), -1)
}

/** What was selected in a text field: its first character, and the one after the last. Without a selection, both are the cursor's. */
export type SelectedText = [from: number, to: number]

function selectionAt(doc: Node, value: string, [from, to]: SelectedText): Selection {
  const end = placeOf(doc, value, to)
  return from === to ? end : TextSelection.between(placeOf(doc, value, from).$from, end.$to)
}

function show({ view }: Editor, value: string, selected: SelectedText = [value.length, value.length]): void {
  const doc = readMarkdown(view.state.schema, value)
  const { tr } = view.state
  if (doc.childCount > 0) tr.replaceWith(0, tr.doc.content.size, doc.content)
  else tr.delete(0, tr.doc.content.size)
  tr.setSelection(selectionAt(tr.doc, value, selected))
  view.dispatch(tr.setMeta('addToHistory', false).setMeta('preventUpdate', true))
}

/** Returns whether the key was one of the field's own. */
function pressKey(event: KeyboardEvent, { onKeyDown, editor }: FieldProps): boolean {
  if (event.isComposing) return false
  if (onKeyDown?.(event)) return true
  const mark = markOfKey(event)
  if (mark) editor.current?.mark(mark)
  return mark !== undefined
}

/** Dropped files are not inserted into the text. The component that contains the field handles them, with the cursor where they were dropped. */
function dropFiles(view: EditorView, event: DragEvent, onDrop: FieldProps['onDrop']): boolean {
  const data = event.dataTransfer
  if (view.dragging || !data || data.files.length === 0) return false
  const place = onDrop && view.posAtCoords({ left: event.clientX, top: event.clientY })
  if (place) {
    const { doc, tr } = view.state
    view.dispatch(tr.setSelection(Selection.near(doc.resolve(place.pos))))
    onDrop(data)
  }
  return true
}

/** What is selected in the text field that this editor replaces, if it has the focus. */
export function selectedIn(id: string): SelectedText | undefined {
  const field = document.activeElement
  return field instanceof HTMLTextAreaElement && field.id === id
    ? [field.selectionStart, field.selectionEnd]
    : undefined
}

export interface Connected {
  editor: Editor
  /** Shows a text that was changed elsewhere. */
  setValue(value: string): unknown
}

/** `props` returns the component's latest ones. */
export function createEditor(
  element: Element,
  props: () => FieldProps,
  id: string,
  selected: SelectedText | undefined,
): Connected {
  let { value } = props()
  const { article } = props()
  const editor = new Editor({
    element,
    extensions: article ? articleExtensions(showPicturesAt(article.pictureOf)) : messageExtensions,
    injectCSS: false,
    editorProps: {
      attributes: state => ({
        id,
        class: `${field.field} ${classes.field}`,
        role: 'textbox',
        tabindex: '0',
        dir: 'auto',
        'aria-multiline': 'true',
        'aria-label': props().label,
        ...(props().placeholder && {
          'data-placeholder': props().placeholder,
          'aria-placeholder': props().placeholder,
        }),
        ...(isEmpty(state.doc) && { 'data-empty': 'true' }),
        ...props().attributes,
      }),
      handleKeyDown: (_, event) => pressKey(event, props()),
      handlePaste: (_, { clipboardData }) =>
        clipboardData !== null && (props().onPaste?.(clipboardData) ?? false),
      handleDrop: (view, event) => dropFiles(view, event, props().onDrop),
      clipboardTextParser: sliceOf,
      clipboardTextSerializer: markdownOf,
    },
    onUpdate({ editor: { state } }) {
      const next = writeMarkdown(state.doc)
      if (next === value) return
      value = next
      props().onChange(next)
    },
    onTransaction: () => props().onLook?.(),
    onBlur: () => props().onBlur?.(),
  })
  editor.registerPlugin(createChips(text => props().findChips?.(text) ?? []))
  const setValue = (next: string, selected?: SelectedText): void => {
    value = next
    show(editor, next, selected)
  }
  setValue(value, selected)
  if (selected) editor.view.focus()
  return { editor, setValue: next => next !== value && setValue(next) }
}
