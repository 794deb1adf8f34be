import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type Ref,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { isMac } from '../core/keys.ts'
import { showNotice } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { noteTyping } from '../presence/tab-state.ts'
import { attach, fileOf } from './attach.ts'
import classes from './composer.module.css'
import { type DraftPlace, isNewEmail, type MessageDraft, writeDraft } from './draft.ts'
import type { Mark } from './marking.ts'
import { maxMessageLength } from './send.ts'
import { useSuggestions } from './suggesting.ts'
import { Suggestions } from './suggestions.tsx'
import { replaceText, wrapText } from './typing.ts'

export interface EditorHandle {
  focus(): void
  insert(words: string): void
  wrap(mark: Mark): void
}

interface Props {
  ref: Ref<EditorHandle>
  place: DraftPlace
  draft: MessageDraft
  label: string
  placeholder: string
  onSend(): void
}

/** The text field. Files can be pasted and dropped, and `@` and `/` suggest people and canned answers. */
export function Editor({ ref, place, draft, label, placeholder, onSend }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [isOver, setOver] = useState(false)
  const suggesting = useSuggestions(place, field)
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    insert: words => replaceText(field.current!, words),
    wrap: mark => wrapText(field.current!, mark),
  }))
  const onKeyDown = (event: KeyboardEvent) => {
    if (!suggesting.onKeyDown(event) && pressKey(event, field.current!, onSend)) event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may also be attached by the button
    <div
      className={classes.editor}
      data-over={isOver || undefined}
      onDragOver={event => takes(event) && setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        if (takes(event)) attach(place, event.dataTransfer.files)
        setOver(false)
      }}
    >
      <Suggestions suggesting={suggesting} />
      <textarea
        ref={field}
        className={classes.field}
        dir="auto"
        value={draft.content}
        placeholder={placeholder}
        aria-label={label}
        {...suggesting.aria}
        onChange={event => {
          writeDraft(place, { content: event.currentTarget.value })
          if (!isNewEmail(place)) noteTyping(place.isInternal)
          suggesting.look()
        }}
        onSelect={suggesting.look}
        onBlur={suggesting.close}
        onKeyDown={onKeyDown}
        onPaste={event => paste(event, place)}
      />
      {isOver && <p className={classes.over}>{text.composer.drop}</p>}
    </div>
  )
}

const marks: Record<string, Mark> = { b: 'bold', i: 'italic' }

/** Handles the editor's own keys, and returns whether it was one of them. */
function pressKey(event: KeyboardEvent, field: HTMLTextAreaElement, onSend: () => void): boolean {
  const isMod = isMac ? event.metaKey : event.ctrlKey
  const mark = isMod && !event.shiftKey ? marks[event.key] : undefined
  if (isMod && event.key === 'Enter') onSend()
  else if (mark) wrapText(field, mark)
  else if (event.key === 'Escape') field.blur()
  else return false
  return true
}

function takes(event: DragEvent): boolean {
  if (!event.dataTransfer.types.includes('Files')) return false
  event.preventDefault()
  return true
}

/** Attaches pasted files, and texts that are too long for a message. */
function paste(event: ClipboardEvent<HTMLTextAreaElement>, place: DraftPlace): void {
  const { files } = event.clipboardData
  const words = event.clipboardData.getData('text/plain')
  if (files.length > 0 && words === '') {
    event.preventDefault()
    attach(place, files)
  } else if (words.length > maxMessageLength) {
    event.preventDefault()
    attach(place, [fileOf(words)])
    showNotice(text.composer.pasted)
  }
}
