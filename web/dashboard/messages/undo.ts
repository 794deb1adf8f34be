import type { KeyboardEvent } from 'react'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { keyNameOf } from '../core/keys.ts'
import { showFailure, showNotice } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { closeToast, findUndoable, showToast, undoToast } from '../core/toasts.ts'
import { attachmentOf } from './attachments.ts'
import { removeMessage } from './cache.ts'
import { emailValuesOf, isEmpty, type MessageDraft, restoreDraft } from './draft.ts'
import type { Message } from './queries.ts'
import { undoSecondsOf } from './send.ts'

const sent = 'sent '
const toastOf = ({ id }: Message): string => sent + id

interface UndoOffer {
  /** Set if another ticket or the list is open by now. */
  number: string | null
  onUndone(): void
}

export function offerUndo(message: Message, offer?: UndoOffer): void {
  const seconds = undoSecondsOf(message)
  if (seconds === 0) return
  showToast({
    id: toastOf(message),
    message: offer?.number ? text.undo.of(offer.number, text.composer.sending) : text.composer.sending,
    seconds,
    undo: async () => {
      if (await cancelSending(message)) offer?.onUndone()
    },
  })
}

/** Puts a waiting message back into the editor, above what was written there in the meantime. Returns whether it could. */
export async function cancelSending(message: Message): Promise<boolean> {
  const { workspace_id: projectId, ticket_id: ticketId, id } = message
  closeToast(toastOf(message))
  const path = { project_id: projectId, message_id: id }
  try {
    const back = await take(api.DELETE('/projects/{project_id}/messages/{message_id}', { params: { path } }))
    const place = { projectId, ticketId, isInternal: back.is_internal }
    const { content, media } = back
    restoreDraft(place, { content, files: media.map(attachmentOf), email: emailValuesOf(back) })
    removeMessage(message)
    showNotice(text.messages.takenBack)
    return true
  } catch (thrown) {
    const failure = asFailure(thrown)
    if (failure.code === 'MESSAGE_SENT') showNotice(text.composer.tooLate)
    else showFailure(failure)
    return false
  }
}

/** In an empty field, there is no text to undo, so the key undoes sending. */
export function captureUndoKey(event: KeyboardEvent, draft: MessageDraft): void {
  const toast = findUndoable()
  const isWanted = keyNameOf(event.nativeEvent) === 'mod+z' && isEmpty(draft)
  if (!isWanted || !toast?.id.startsWith(sent)) return
  event.preventDefault()
  event.stopPropagation()
  undoToast(toast)
}
