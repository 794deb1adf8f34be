import { Button, Group } from '@mantine/core'
import { text } from '../../core/text.ts'
import { AttachmentList } from '../../messages/attachment-list.tsx'
import { TroubleAlert } from '../../messages/composer.tsx'
import { ComposerFoot } from '../../messages/composer-foot.tsx'
import { Editor } from '../../messages/editor.tsx'
import { useEditorRef } from '../../rich-text/editor-handle.ts'
import { isRecorded } from './channels.ts'
import classes from './new-ticket.module.css'
import type { NewTicketForm } from './use-new-ticket.ts'
import { MessageKind } from './way-section.tsx'

/** The message of the ticket: what the contact said, a note, or a message that is sent. */
export function MessageSection({ form }: { form: NewTicketForm }) {
  const { values, channel, messagePlace, draft, trouble, create } = form
  const editor = useEditorRef()
  const isSaid = isRecorded(channel) && !values.isNote
  const { emailFields, composer, creating } = text
  return (
    <div>
      <MessageKind values={values} channel={channel} onNote={form.onNote} />
      <Editor
        editor={editor}
        place={messagePlace}
        draft={draft}
        label={values.isNote ? composer.note : emailFields.message}
        placeholder={values.isNote ? composer.noteHere : isSaid ? creating.saidHere : emailFields.messageHere}
        onSend={create}
      />
      <AttachmentList place={messagePlace} files={draft.files} />
      <TroubleAlert trouble={trouble} />
      <ComposerFoot place={messagePlace} draft={draft} editor={editor}>
        {null}
      </ComposerFoot>
    </div>
  )
}

/** The buttons below the fields. */
export const NewTicketButtons = ({ form }: { form: NewTicketForm }) => (
  <Group gap="xs" justify="flex-end" className={classes.buttons}>
    <Button size="sm" variant="subtle" color="gray" onClick={form.discard}>
      {text.composer.discard}
    </Button>
    <Button size="sm" loading={form.isSending} onClick={form.create}>
      {isRecorded(form.channel) ? text.creating.createTicket : text.composer.send}
    </Button>
  </Group>
)
