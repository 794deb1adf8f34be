import { Modal, Stack, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useRef } from 'react'
import type { Contact } from '../../contacts/queries.ts'
import { text } from '../../core/text.ts'
import { useProject } from '../../projects/project.ts'
import { ContactSection } from './contact-section.tsx'
import { DetailsSection } from './details-section.tsx'
import { MessageSection, NewTicketButtons } from './message-section.tsx'
import classes from './new-ticket.module.css'
import { type NewTicketForm, useNewTicket } from './use-new-ticket.ts'
import { WaySection } from './way-section.tsx'

interface Props {
  isOpen: boolean
  /** The contact from whose page the ticket is created. */
  contact: Contact | null
  onClose(): void
}

/** The dialog that creates a ticket. Closing it keeps the draft. */
export default function NewTicketDialog({ isOpen, contact, onClose }: Props) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={text.creating.newTicket}
      size="lg"
      fullScreen={isNarrow}
      classNames={{ content: classes.content }}
    >
      <Fields key={contact?.id} contact={contact} onClose={onClose} />
    </Modal>
  )
}

function Fields({ contact, onClose }: Omit<Props, 'isOpen'>) {
  const { id: projectId } = useProject()
  const box = useRef<HTMLDivElement>(null)
  const form = useNewTicket({ projectId, contact }, box, onClose)
  const { values, errors, change } = form
  return (
    <Stack ref={box} gap={10}>
      <ContactSection projectId={projectId} values={values} errors={errors} onChange={change} />
      <WaySection projectId={projectId} onChange={change} {...form} />
      <SubjectField form={form} />
      <MessageSection form={form} />
      <DetailsSection values={values} errors={errors} onChange={change} />
      <NewTicketButtons form={form} />
    </Stack>
  )
}

const SubjectField = ({ form: { values, errors, change } }: { form: NewTicketForm }) => (
  <TextInput
    label={text.creating.subject}
    placeholder={text.creating.subjectHint}
    value={values.subject}
    maxLength={255}
    error={errors.subject}
    dir="auto"
    autoComplete="off"
    onChange={event => change({ subject: event.currentTarget.value })}
  />
)
