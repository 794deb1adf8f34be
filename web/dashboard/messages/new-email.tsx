import { PencilSquareIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button, Group, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useAction } from '../core/actions.ts'
import { text } from '../core/text.ts'
import { useInboxPlace } from '../tickets/inbox.ts'
import { AttachmentList } from './attachment-list.tsx'
import { TroubleAlert } from './composer.tsx'
import { AttachButton, EmojiButton } from './composer-foot.tsx'
import { clearDraft, draftOf, type EmailValues, isEmpty, newEmailPlace, setDraft } from './draft.ts'
import { Editor, type EditorHandle } from './editor.tsx'
import { EmailFields } from './email-fields.tsx'
import { FormatButtons } from './format-buttons.tsx'
import { useNewEmail } from './new-email-sending.ts'
import { senderChoicesQuery } from './recipient-queries.ts'

/** The button for an email that begins a ticket, if the project has a mailbox that sends. */
export default function NewEmail() {
  const { projectId } = useInboxPlace()
  const { data = [] } = useQuery(senderChoicesQuery(projectId))
  const sender = data.find(({ can_send }) => can_send)
  return sender ? <NewEmailButton projectId={projectId} mailboxId={sender.id} /> : null
}

interface Props {
  projectId: string
  /** The default mailbox. */
  mailboxId: string
}

function NewEmailButton(props: Props) {
  const [isOpen, setOpen] = useState(false)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const { newEmail: name } = text.emailFields
  const open = () => setOpen(true)
  const close = () => setOpen(false)
  useAction({ id: 'new email', name, keys: 'shift+n', icon: PencilSquareIcon, run: open })
  return (
    <>
      <ActionIcon size="lg" aria-label={name} title={name} onClick={open}>
        <PencilSquareIcon width={18} aria-hidden />
      </ActionIcon>
      <Modal opened={isOpen} onClose={close} title={name} size="lg" fullScreen={isNarrow}>
        <Fields {...props} onClose={close} />
      </Modal>
    </>
  )
}

function Fields({ projectId, mailboxId, onClose }: Props & { onClose(): void }) {
  const { openTicket } = useInboxPlace()
  const place = useMemo(() => newEmailPlace(projectId), [projectId])
  const draft = draftOf(place).use()
  const editor = useRef<EditorHandle>(null)
  const empty: EmailValues = { mailbox_id: mailboxId, to: [], cc: [], bcc: [], subject: '' }
  const email = draft.email ?? empty
  const { trouble, isSending, send } = useNewEmail(place, draft, email, number => {
    onClose()
    void openTicket(number)
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
        ref={editor}
        place={place}
        draft={draft}
        label={text.emailFields.message}
        placeholder={text.emailFields.messageHere}
        onSend={send}
      />
      <AttachmentList place={place} files={draft.files} />
      <TroubleAlert trouble={trouble} />
      <Group gap={2} mt={6}>
        <AttachButton place={place} />
        <EmojiButton onChoose={emoji => editor.current?.insert(emoji)} />
        <FormatButtons editor={editor} />
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
      </Group>
    </>
  )
}
