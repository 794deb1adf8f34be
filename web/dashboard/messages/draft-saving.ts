import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { onReturn } from '../core/connection.ts'
import { asFailure } from '../core/failure.ts'
import { createSequence } from '../core/sequential.ts'
import { patchTicket } from '../tickets/cache.ts'
import { attachmentOf } from './attachments.ts'
import { clearDraft, type DraftPlace, draftOf, isEmpty, type MessageDraft, setDraft } from './draft.ts'
import { notifiedIn } from './notified.ts'
import { messageKeys } from './query-keys.ts'
import { maxMessageLength } from './send.ts'

/**
 * The server's copy of a draft. It follows what is typed, and does not overwrite a draft from another device
 * unasked.
 */

type Kept = Shape<'Draft'>

const address = '/projects/{project_id}/tickets/{ticket_id}/draft'
const pathOf = ({ projectId, ticketId }: DraftPlace) => ({ project_id: projectId, ticket_id: ticketId })

/** Serialises loading, saving and sending of the drafts of a ticket. */
const inTurn = createSequence()

export const inTurnOf = <T>({ ticketId }: DraftPlace, act: () => Promise<T>): Promise<T> =>
  inTurn(ticketId, act)

const read = (place: DraftPlace, signal?: AbortSignal) =>
  take(api.GET(address, { params: { path: pathOf(place) }, signal }))

/** Each response is compared with the local draft at once and only once, because later it may be outdated. */
const draftsQuery = (place: DraftPlace) =>
  queryOptions({
    queryKey: messageKeys.drafts(place.projectId, place.ticketId),
    queryFn: ({ signal }) =>
      inTurnOf(place, async () => {
        const { note, reply } = await read(place, signal)
        meet({ ...place, isInternal: true }, note)
        meet({ ...place, isInternal: false }, reply)
        return null
      }),
    staleTime: 0,
    gcTime: 0,
  })

/** Takes over the server's draft; if both differ, the writer is asked. */
function meet(place: DraftPlace, kept: Kept | null): void {
  const own = draftOf(place).get()
  if (!kept) {
    if (own.version > 0 && !own.isChanged) clearDraft(place)
    else if (own.version > 0) setDraft(place, { version: 0 })
    return
  }
  if (kept.version === own.version) return
  if (own.isChanged && !isEmpty(own) && own.content !== kept.content) setDraft(place, { other: kept })
  else adoptDraft(place, kept)
}

export function adoptDraft(place: DraftPlace, kept: Kept): void {
  const { content, media, version } = kept
  setDraft(place, { content, files: media.map(attachmentOf), version, isChanged: false, other: null })
}

/** Overwrites the other draft with one's own. */
export function overwriteDraft(place: DraftPlace): void {
  const { other, version } = draftOf(place).get()
  setDraft(place, { version: other?.version ?? version, other: null, isChanged: true })
  void save(place)
}

const toInput = (place: DraftPlace, draft: MessageDraft) => ({
  content: draft.content,
  content_format: 'markdown' as const,
  is_internal: place.isInternal,
  media_ids: draft.files.flatMap(({ media }) => media?.id ?? []),
  mentions: place.isInternal ? notifiedIn(place, draft) : [],
  version: draft.version,
})

const shownInList = 140

/** Shows the draft in the list: this one with its preview, or else the other of reply and note. */
function showInList(place: DraftPlace, preview?: string): void {
  const [own, other] = [place, { ...place, isInternal: !place.isInternal }].map(one => draftOf(one).get())
  const draft = [own, other].find(one => one && !isEmpty(one))
  const draft_preview = (draft === own && preview) || (draft?.content.slice(0, shownInList) ?? null)
  patchTicket(place.projectId, place.ticketId, { has_draft: draft !== undefined, draft_preview })
}

async function write(place: DraftPlace): Promise<void> {
  const draft = draftOf(place).get()
  if (!draft.isChanged || draft.other || draft.content.length > maxMessageLength) return
  const path = pathOf(place)
  try {
    if (isEmpty(draft)) {
      if (draft.version > 0)
        await take(api.DELETE(address, { params: { path, query: { is_internal: place.isInternal } } }))
      const now = draftOf(place).get()
      if (isEmpty(now)) clearDraft(place, now.email)
      return showInList(place)
    }
    const { version, preview } = await take(
      api.PUT(address, { params: { path }, body: toInput(place, draft) }),
    )
    const now = draftOf(place).get()
    setDraft(place, { version, isChanged: now.content !== draft.content || now.files !== draft.files })
    showInList(place, preview)
  } catch (thrown) {
    if (asFailure(thrown).status === 412) await compare(place).catch(() => null)
    // Other failures are temporary, or are reported when the text is sent. The browser has a copy.
  }
}

async function compare(place: DraftPlace): Promise<void> {
  const { note, reply } = await read(place)
  meet(place, place.isInternal ? note : reply)
}

const save = (place: DraftPlace): Promise<void> => inTurnOf(place, () => write(place))

const saveDelayMs = 800

/** Keeps both copies in sync while the editor is open. */
export function useDraftSaving(place: DraftPlace, draft: MessageDraft): void {
  useQuery(draftsQuery(place))
  useEffect(() => {
    if (!draft.isChanged) return
    const timer = setTimeout(() => void save(place), saveDelayMs)
    return () => clearTimeout(timer)
  }, [place, draft])
  useEffect(() => {
    const undo = onReturn(() => void save(place))
    return () => {
      undo()
      void save(place)
    }
  }, [place])
}
