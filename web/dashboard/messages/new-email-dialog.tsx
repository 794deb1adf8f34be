import { Button, Group, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { text } from '../core/text.ts'
import { useEditorRef } from '../rich-text/editor-handle.ts'
import { AttachmentList } from './attachment-list.tsx'
import { TroubleAlert } from './composer.tsx'
import { ComposerFoot } from './composer-foot.tsx'
import { clearDraft, type DraftPlace, draftOf, type EmailValues, isEmpty, setDraft } from './draft.ts'
import { Editor } from './editor.tsx'
import { EmailFields } from './email-fields.tsx'
import { useNewEmail } from './new-email-sending.ts'

interface Props {
  place: DraftPlace
  /** The default mailbox. */
  mailboxId: string
  onClose(): void
}

/** The dialog for an email that starts a ticket. */
export default function NewEmailDialog({ isOpen, ...props }: Props & { isOpen: boolean }) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  return (
    <Modal
      opened={isOpen}
      onClose={props.onClose}
      title={text.emailFields.newEmail}
      size="lg"
      fullScreen={isNarrow}
    >
      <Fields {...props} />
    </Modal>
  )
}

function Fields({ place, mailboxId, onClose }: Props) {
  const { projectId } = place
  const navigate = useNavigate()
  const draft = draftOf(place).use()
  const editor = useEditorRef()
  const to = place.address ? [place.address] : []
  const initial: EmailValues = { mailbox_id: mailboxId, to, cc: [], bcc: [], subject: '' }
  const email = draft.email ?? initial
  const { trouble, isSending, send } = useNewEmail(place, draft, email, number => {
    onClose()
    const params = { projectId, view: 'open', number }
    void navigate({ to: '/p/$projectId/inbox/$view/$number', params })
  })
  return (
    <>
      <EmailFields
        projectId={projectId}
        values={email}
        onChange={change => setDraft(place, { email: { ...email, ...change } })}
        errors={trouble?.fields}
        people={[]}
        isFocused
      />
      <Editor
        editor={editor}
        place={place}
        draft={draft}
        label={text.emailFields.message}
        placeholder={text.emailFields.messageHere}
        onSend={send}
      />
      <AttachmentList place={place} files={draft.files} />
      <TroubleAlert trouble={trouble} />
      <ComposerFoot place={place} draft={draft} editor={editor}>
        <Group gap="xs" ms="auto">
          {(draft.email || !isEmpty(draft)) && (
            <Button size="sm" variant="subtle" color="gray" onClick={() => clearDraft(place)}>
              {text.composer.discard}
            </Button>
          )}
          <Button size="sm" loading={isSending} onClick={send}>
            {text.composer.send}
          </Button>
        </Group>
      </ComposerFoot>
    </>
  )
}
