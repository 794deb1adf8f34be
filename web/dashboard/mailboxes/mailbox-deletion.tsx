import { DeletionSection } from '../channels/deletion-section.tsx'
import { api, take } from '../core/api.ts'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { type Mailbox, mailboxKeysOf, mailboxPath } from './queries.ts'

interface Props {
  mailbox: Mailbox
  back: string
}

export function MailboxDeletion({ mailbox: { id: mailbox_id, address }, back }: Props) {
  const path = { project_id: useProject().id, mailbox_id }
  return (
    <DeletionSection
      words={pageText.mailboxes}
      question={pageText.mailboxes.removeTitle(address)}
      keys={mailboxKeysOf(path)}
      back={back}
      send={() => take(api.DELETE(mailboxPath, { params: { path } }))}
    />
  )
}
