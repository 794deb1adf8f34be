import type { Shape } from '../core/answers.ts'
import { createStore, type Store } from '../core/store.ts'
import type { Attachment, Media } from './attachments.ts'
import { attachmentOf } from './attachments.ts'

/** The mailbox, recipients and subject of an email. */
export interface EmailValues {
  mailbox_id: string | null
  to: string[]
  cc: string[]
  bcc: string[]
  subject: string
}

/** A draft of a reply or note in a ticket. It is also stored in this browser. */
export interface MessageDraft {
  content: string
  files: Attachment[]
  /** The people chosen from the list. */
  mentions: { id: string; name: string }[]
  /** The edited recipients and subject, or null for the defaults. Stored only in this browser. */
  email: EmailValues | null
  /** The version of the server's copy; 0 if there is none. */
  version: number
  /** Whether the server lacks the latest text. */
  isChanged: boolean
  /** An attempt to send without a response. A repetition must be identical. */
  attempt: { key: string; body: string } | null
  /** The server's draft, if both have changed. */
  other: Shape<'Draft'> | null
}

export interface DraftPlace {
  projectId: string
  ticketId: string
  isInternal: boolean
  /** The default recipient of an email that starts a ticket. */
  address?: string
}

/** The draft of an email that starts a ticket, on the page of a contact or elsewhere. */
export const newEmailPlace = (
  projectId: string,
  contact?: { id: string; email: string | null },
): DraftPlace => ({
  projectId,
  ticketId: `new ${contact?.id ?? projectId}`,
  isInternal: false,
  ...(contact?.email && { address: contact.email }),
})

export const isNewEmail = ({ ticketId }: DraftPlace): boolean => ticketId.startsWith('new ')

const empty: MessageDraft = {
  content: '',
  files: [],
  mentions: [],
  email: null,
  version: 0,
  isChanged: false,
  attempt: null,
  other: null,
}

const nameOf = ({ ticketId, isInternal }: DraftPlace): string =>
  `deskbell-draft ${ticketId} ${isInternal ? 'note' : 'reply'}`

interface Kept extends Omit<MessageDraft, 'files'> {
  media: Media[]
}

function readKept(name: string): MessageDraft {
  try {
    const { media, ...kept } = JSON.parse(localStorage.getItem(name) ?? 'null') as Kept
    return { ...empty, ...kept, files: media.map(attachmentOf) }
  } catch {
    return empty
  }
}

function keep(name: string, { files, ...draft }: MessageDraft): void {
  try {
    const media = files.flatMap(file => file.media ?? [])
    if (draft.content === '' && media.length === 0 && !draft.isChanged) localStorage.removeItem(name)
    else localStorage.setItem(name, JSON.stringify({ ...draft, media }))
  } catch {
    // If the browser's storage is full or disabled, the server has the draft soon.
  }
}

const drafts = new Map<string, Store<MessageDraft>>()

/** The names of drafts that are not in the browser's storage yet. Writing there at each key would delay the letters. */
const unkept = new Set<string>()

function keepAll(): void {
  for (const name of unkept) keep(name, drafts.get(name)!.get())
  unkept.clear()
}

function keepSoon(name: string): void {
  if (unkept.size === 0) setTimeout(keepAll, 200)
  unkept.add(name)
}

addEventListener('pagehide', keepAll)
document.addEventListener('visibilitychange', keepAll)

export function draftOf(place: DraftPlace): Store<MessageDraft> {
  const name = nameOf(place)
  const known = drafts.get(name)
  if (known) return known
  const store = createStore(readKept(name))
  drafts.set(name, store)
  return store
}

/** Changes the draft here and, a moment later, in this browser's storage. */
export function setDraft(place: DraftPlace, change: Partial<MessageDraft>): MessageDraft {
  const store = draftOf(place)
  const next = { ...store.get(), ...change }
  store.set(next)
  keepSoon(nameOf(place))
  return next
}

export const writeDraft = (place: DraftPlace, change: Partial<MessageDraft>): MessageDraft =>
  setDraft(place, { ...change, isChanged: true })

/** Removes what was sent; text written since stays. */
export function keepUnsentRest(place: DraftPlace, sent: MessageDraft): MessageDraft {
  const now = draftOf(place).get()
  const isLonger = now.content.startsWith(sent.content)
  const content = isLonger ? now.content.slice(sent.content.length).trimStart() : now.content
  const files = now.files.filter(({ key }) => !sent.files.some(one => one.key === key))
  const isChanged = content !== '' || files.length > 0
  return setDraft(place, { ...empty, content, files, mentions: now.mentions, isChanged })
}

export const clearDraft = (place: DraftPlace, email: EmailValues | null = null): MessageDraft =>
  setDraft(place, { ...empty, email })

export const isEmpty = ({ content, files }: MessageDraft): boolean =>
  content.trim() === '' && files.length === 0

/** Puts the text and recipients of a message into the editor, above what was written there in the meantime. */
export function restoreDraft(
  place: DraftPlace,
  { content, files, email }: Pick<MessageDraft, 'content' | 'files' | 'email'>,
): void {
  const begun = draftOf(place).get()
  writeDraft(place, {
    content: isEmpty(begun) ? content : `${content}\n\n${begun.content}`,
    files: [...files, ...begun.files],
    email: email ?? begun.email,
  })
}

/** The recipients of a message that was written here. */
export const emailValuesOf = ({ email }: Pick<Shape<'TakenBack'>, 'email'>): EmailValues | null =>
  email && {
    mailbox_id: email.mailbox_id ?? null,
    to: email.to ?? [],
    cc: email.cc ?? [],
    bcc: email.bcc ?? [],
    subject: email.subject ?? '',
  }
