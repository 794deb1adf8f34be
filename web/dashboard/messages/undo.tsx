import { Button, Group } from '@mantine/core'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { closeNotice, openNotice, showFailure, showNotice } from '../core/notice.ts'
import { createStore } from '../core/store.ts'
import { text } from '../core/text.ts'
import { attachmentOf } from './attachments.ts'
import { removeMessage } from './cache.ts'
import { emailValuesOf, restoreDraft } from './draft.ts'
import type { Message } from './queries.ts'
import { undoSecondsOf } from './send.ts'

/** The reply that can still be undone by its key. */
const last = createStore<Message | null>(null)
export const useLastSent = last.use

const toastOf = ({ id }: Message): string => `sent ${id}`

export function offerUndo(message: Message): void {
  const seconds = undoSecondsOf(message)
  if (seconds === 0) return
  last.set(message)
  openNotice({
    id: toastOf(message),
    role: 'status',
    autoClose: seconds * 1000,
    onClose: () => last.get()?.id === message.id && last.set(null),
    message: (
      <Group justify="space-between" wrap="nowrap">
        {text.composer.sending(seconds)}
        <Button size="compact-sm" variant="light" onClick={() => cancelSending(message)}>
          {text.composer.undo}
        </Button>
      </Group>
    ),
  })
}

/** Puts a waiting message back into the editor, above what was written there in the meantime. */
export async function cancelSending(message: Message): Promise<void> {
  const { workspace_id: projectId, ticket_id: ticketId, id } = message
  closeNotice(toastOf(message))
  const path = { project_id: projectId, message_id: id }
  try {
    const back = await take(api.DELETE('/projects/{project_id}/messages/{message_id}', { params: { path } }))
    const place = { projectId, ticketId, isInternal: back.is_internal }
    const { content, media } = back
    restoreDraft(place, { content, files: media.map(attachmentOf), email: emailValuesOf(back) })
    removeMessage(message)
    showNotice(text.messages.takenBack)
  } catch (thrown) {
    const failure = asFailure(thrown)
    if (failure.code === 'MESSAGE_SENT') showNotice(text.composer.tooLate)
    else showFailure(failure)
  }
}
