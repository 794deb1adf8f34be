import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useAction } from '../core/actions.ts'
import { text } from '../core/text.ts'
import type { Composing } from './composing.ts'
import { type EmailValues, setDraft } from './draft.ts'
import classes from './email-fields.module.css'
import { EmailFields, More, Undeliverable, useKnownAddresses } from './email-fields.tsx'
import {
  isNotSent,
  type KnownAddress,
  participantsQuery,
  replyRecipientsQuery,
  senderChoicesQuery,
} from './recipient-queries.ts'

/** The recipients of a reply: one line that opens into fields. */
export default function ReplyEmail({ composing }: { composing: Composing }) {
  const { projectId, ticket, draft } = composing
  const { data } = useQuery(replyRecipientsQuery(projectId, ticket.id))
  if (!data) return <div className={classes.line} />
  if (isNotSent(data, ticket.channel)) return null
  return <EditableRecipients composing={composing} values={draft.email ?? data} />
}

interface Props {
  composing: Composing
  values: EmailValues
}

function EditableRecipients({ composing, values }: Props) {
  const { projectId, trouble, isSending } = composing
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const errors = trouble?.fields
  useEffect(() => {
    if (isSending) setOpen(false)
  }, [isSending])
  useEffect(() => {
    if (errors) setOpen(true)
  }, [errors])
  const known = useKnownAddresses(projectId, values)
  const { editRecipients: name, doneRecipients, edit, done } = text.emailFields
  const open = () => setOpen(true)
  useAction({ id: 'recipients', name, group: text.actions.group, keys: 'shift+r', run: open })
  const close = (event: KeyboardEvent) => {
    const isListOpen = (event.target as Element).getAttribute('aria-expanded') === 'true'
    if (event.key !== 'Escape' || isListOpen || event.target === button.current) return
    setOpen(false)
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the fields, as their button does
    <div onKeyDown={close}>
      <div className={classes.line}>
        {isOpen ? (
          <p className={classes.summary}>{name}</p>
        ) : (
          <Summary projectId={projectId} values={values} known={known} />
        )}
        <Button
          ref={button}
          size="compact-sm"
          variant="subtle"
          aria-expanded={isOpen}
          aria-label={isOpen ? doneRecipients : name}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? done : edit}
        </Button>
      </div>
      {isOpen ? <Fields composing={composing} values={values} /> : <Undeliverable known={known} />}
    </div>
  )
}

function Fields({ composing: { projectId, ticket, draft, place, trouble }, values }: Props) {
  const { data: people = [] } = useQuery(participantsQuery(projectId, ticket.id))
  const change = (email: EmailValues | null) => setDraft(place, { email })
  return (
    <EmailFields
      projectId={projectId}
      values={values}
      onChange={changed => change({ ...values, ...changed })}
      errors={trouble?.fields}
      people={people.filter(({ reason }) => reason !== 'removed')}
      isFocused
    >
      {draft.email && <More name={text.emailFields.reset} onClick={() => change(null)} />}
    </EmailFields>
  )
}

interface SummaryProps {
  projectId: string
  values: EmailValues
  known: Map<string, KnownAddress>
}

function Summary({ projectId, values, known }: SummaryProps) {
  const { data: senders = [] } = useQuery(senderChoicesQuery(projectId))
  const sender = senders.find(({ id }) => id === values.mailbox_id)
  const kinds = (['to', 'cc', 'bcc'] as const).filter(kind => values[kind].length > 0)
  const { noRecipient, noMailbox } = text.emailFields
  return (
    <p className={classes.summary}>
      {kinds.length === 0 && noRecipient}
      {kinds.map((kind, at) => (
        <Fragment key={kind}>
          {at > 0 && separator}
          {text.email[kind]} <Names addresses={values[kind]} known={known} />
        </Fragment>
      ))}
      {values.mailbox_id === null && `${separator}${noMailbox}`}
      {sender && (
        <>
          {separator}
          {text.email.from} <bdi>{sender.address}</bdi>
        </>
      )}
      {separator}
      {text.email.subject} <bdi>{values.subject}</bdi>
    </p>
  )
}

const separator = ' · '

const Names = ({ addresses, known }: { addresses: string[]; known: Map<string, KnownAddress> }) =>
  addresses.map((address, at) => (
    <span key={address}>
      {at > 0 && ', '}
      <bdi title={address}>{known.get(address)?.name ?? address}</bdi>
    </span>
  ))
