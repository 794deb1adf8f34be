import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../core/text.ts'
import { noteTyping, stopTyping } from '../live/typing.ts'
import { config } from '../session/config.ts'
import { IconButton } from '../shell/bar.tsx'
import { Icon } from '../shell/icon.tsx'
import { answered, drafts, setDraft } from './drafts.ts'
import { EmojiPicker } from './emoji.tsx'
import { addFiles, takeUploads, type Upload, uploads } from './files.ts'
import { isThere } from './outgoing.ts'
import { UploadList } from './upload-list.tsx'

export interface Writing {
  content: string
  media: ReturnType<typeof takeUploads>
  reply_to_id?: string
}

interface Props {
  id: string
  post: (writing: Writing) => void
}

const maxMessageLength = 10_000

/** On touch screens, Enter starts a new line. */
const hasKeyboard = (): boolean => !matchMedia('(pointer: coarse)').matches

function fit(area: HTMLTextAreaElement): void {
  area.style.height = 'auto'
  area.style.height = `${Math.min(area.scrollHeight, 140)}px`
}

/** A quoted message applies only to its own conversation. */
const answeredIn = (id: string) => (answered.value?.message?.ticket_id === id ? answered.value : null)

function Answered({ id }: { id: string }) {
  const line = answeredIn(id)
  if (!line) return null
  const { content, media, name, isMine } = line
  return (
    <div class="answered">
      <span dir="auto">
        <strong>{isMine ? text.value.you : (name ?? text.value.team)}</strong> {content || media[0]?.filename}
      </span>
      <IconButton
        icon="close"
        label={text.value.cancelReply}
        onClick={() => {
          answered.value = null
        }}
      />
    </div>
  )
}

function AttachButton({ add }: { add: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  if (!config.value?.features.files) return null
  return (
    <>
      <input
        ref={input}
        class="unseen"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        onChange={event => {
          add([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <IconButton icon="attach" label={text.value.attach} onClick={() => input.current?.click()} />
    </>
  )
}

function insert(area: HTMLTextAreaElement, words: string): string {
  area.focus()
  area.setRangeText(words, area.selectionStart, area.selectionEnd, 'end')
  return area.value
}

/** Sends the text as a message, and empties the field. */
function useSend({ id, post }: Props, isSendable: boolean) {
  return () => {
    if (!isSendable) return
    stopTyping()
    const reply_to_id = answeredIn(id)?.message?.id
    const content = (drafts.peek()[id] ?? '').trim()
    answered.value = null
    setDraft(id, '')
    post({ content, media: takeUploads(), ...(reply_to_id && { reply_to_id }) })
  }
}

const isUploading = (one: Upload): boolean => !one.media && !one.failure

interface FieldProps {
  id: string
  area: RefObject<HTMLTextAreaElement | null>
  add: (files: File[]) => void
  send: () => void
}

function Field({ id, area, add, send }: FieldProps) {
  const words = drafts.value[id] ?? ''
  useEffect(() => fit(area.current!), [words, area])
  useEffect(() => {
    if (answeredIn(id)) area.current?.focus()
  }, [answered.value, area])
  return (
    <textarea
      ref={area}
      rows={1}
      dir={words ? 'auto' : undefined}
      maxLength={maxMessageLength}
      value={words}
      aria-label={text.value.message}
      placeholder={text.value.placeholder}
      onInput={event => write(id, event.currentTarget.value)}
      onPaste={event => {
        const files = [...(event.clipboardData?.files ?? [])]
        if (files.length === 0) return
        event.preventDefault()
        add(files)
      }}
      onKeyDown={event => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !hasKeyboard()) return
        event.preventDefault()
        send()
      }}
    />
  )
}

function write(id: string, words: string): void {
  setDraft(id, words)
  if (words.trim() && isThere(id)) noteTyping(id)
}

export function Composer(props: Props) {
  const { id } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const hasContent = Boolean(drafts.value[id]?.trim()) || uploads.value.some(one => one.media)
  const isSendable = hasContent && !uploads.value.some(isUploading)
  const add = (files: File[]) => setProblem(addFiles(files))
  const send = useSend(props, isSendable)
  const submit = (event: Event) => {
    event.preventDefault()
    send()
    area.current?.focus()
  }
  return (
    <form class="composer" onSubmit={submit}>
      <Answered id={id} />
      <UploadList />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Field id={id} area={area} add={add} send={send} />
      <div class="composer-row">
        <AttachButton add={add} />
        <EmojiPicker choose={one => write(id, insert(area.current!, one))} />
        <button type="submit" class="send" aria-label={text.value.send} disabled={!isSendable}>
          <Icon name="send" />
        </button>
      </div>
    </form>
  )
}
