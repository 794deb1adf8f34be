import { type DragEvent, useState } from 'react'
import { isMac } from '../core/keys.ts'
import { showNotice } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { noteTyping } from '../presence/tab-state.ts'
import type { EditorRef } from '../rich-text/editor-handle.ts'
import { MarkdownField } from '../rich-text/markdown-field.tsx'
import { attach, fileOf } from './attach.ts'
import classes from './composer.module.css'
import { type DraftPlace, isNewEmail, type MessageDraft, writeDraft } from './draft.ts'
import { useChips } from './mention-chips.ts'
import { maxMessageLength } from './send.ts'
import { useSuggestions } from './suggesting.ts'
import { Suggestions } from './suggestions.tsx'

interface Props {
  editor: EditorRef
  place: DraftPlace
  draft: MessageDraft
  label: string
  placeholder: string
  onSend(): void
}

/** The field for a message. Files can be pasted and dropped, and `@`, `/` and `:` suggest people, texts and emojis. */
export function Editor({ editor, place, draft, label, placeholder, onSend }: Props) {
  const [isOver, setOver] = useState(false)
  const suggesting = useSuggestions(place, editor)
  const findChips = useChips(place, draft)
  const onChange = (content: string) => {
    writeDraft(place, { content })
    if (!isNewEmail(place)) noteTyping(place.isInternal)
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
      <MarkdownField
        editor={editor}
        value={draft.content}
        label={label}
        placeholder={placeholder}
        attributes={suggesting.attributes}
        findChips={findChips}
        onChange={onChange}
        onLook={suggesting.look}
        onBlur={suggesting.close}
        onKeyDown={event => suggesting.onKeyDown(event) || pressKey(event, onSend)}
        onPaste={data => paste(data, place)}
      />
      {isOver && <p className={classes.over}>{text.composer.drop}</p>}
    </div>
  )
}

/** Handles the editor's own keys, and returns whether it was one of them. */
function pressKey(event: KeyboardEvent, onSend: () => void): boolean {
  const isMod = isMac ? event.metaKey : event.ctrlKey
  if (isMod && !event.shiftKey && event.key === 'Enter') onSend()
  else if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur()
  else return false
  return true
}

function takes(event: DragEvent): boolean {
  if (!event.dataTransfer.types.includes('Files')) return false
  event.preventDefault()
  return true
}

/** Attaches pasted files, and texts that are too long for a message. */
function paste(data: DataTransfer, place: DraftPlace): boolean {
  const words = data.getData('text/plain')
  if (data.files.length > 0 && words === '') {
    attach(place, data.files)
    return true
  }
  if (words.length <= maxMessageLength) return false
  attach(place, [fileOf(words)])
  showNotice(text.composer.pasted)
  return true
}
