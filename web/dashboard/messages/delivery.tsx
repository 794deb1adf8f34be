import { Button, Group } from '@mantine/core'
import { isCustom, useCustomChannel } from '../channels/custom-channels.ts'
import { runAction } from '../core/actions.ts'
import { text } from '../core/text.ts'
import { moment } from '../core/time.ts'
import { emailValuesOf, restoreDraft } from './draft.ts'
import classes from './message.module.css'
import type { Message } from './queries.ts'
import { Recipients, wordError } from './recipients.tsx'
import { retrySending, sendNow } from './send.ts'
import { wordTelegramError } from './telegram-errors.ts'
import { cancelSending } from './undo.ts'

/** The delivery status, if it is waiting or failed, or whether the message was edited. */
export function DeliveryMark({ message }: { message: Message }) {
  const { channel, delivery } = message
  const { status, error } = delivery
  const isWorded = status !== 'pending' || error === 'edit_not_propagated'
  if (status === 'scheduled') return <Waiting message={message} />
  return (
    <>
      {message.edited_at && (
        <p className={classes.fate} title={text.messages.editedAt(moment(message.edited_at))}>
          {text.messages.edited}
        </p>
      )}
      {message.email && <Recipients recipients={message.email.recipients} />}
      {(status !== 'sent' || (error !== null && isDeliveryCode(error))) &&
        (message.sender_type === 'operator' || message.sender_type === 'bot') && (
          <p className={classes.fate} data-status={status}>
            <Status message={message} />
            {error !== null && isWorded && `: ${wordErrorOf(channel, error)}`}
            {status === 'failed' && <Retry message={message} label={text.messages.retry} />}
            {status === 'failed' && isWrittenAgain(message) && <WriteAgain message={message} />}
          </p>
        )}
      {hasFailedSome(message) && (
        <p className={classes.fate}>
          <Retry message={message} label={text.messages.retrySome} />
        </p>
      )}
    </>
  )
}

function wordErrorOf(channel: string, error: string): string {
  if (isCustom(channel)) return text.customTickets.errors[error] ?? error
  return channel === 'telegram' ? wordTelegramError(error) : wordError(error)
}

/** A reply in a custom channel waits until the channel's program sends it. */
function Status({ message: { channel, delivery, workspace_id } }: { message: Message }) {
  const custom = useCustomChannel(workspace_id, channel)
  return custom && delivery.status === 'pending'
    ? text.customTickets.waits(custom.title)
    : text.messages.delivery[delivery.status]
}

const isDeliveryCode = (error: string): boolean => error in text.messages.deliveryErrors

/** Whether an email failed for some of its recipients. */
const hasFailedSome = ({ delivery, email }: Message): boolean =>
  ['sent', 'delivered', 'read'].includes(delivery.status) &&
  (email?.recipients ?? []).some(({ status }) => status === 'failed')

const Retry = ({ message, label }: { message: Message; label: string }) => (
  <Button size="compact-xs" variant="subtle" onClick={() => retrySending(message)}>
    {label}
  </Button>
)

/** Only an email has recipients that may be wrong. Files belong to one message, so they cannot be sent with another. */
const isWrittenAgain = ({ email, is_internal, media }: Message): boolean =>
  email !== null && !is_internal && media.length === 0

/** Puts the message into the editor, so that its text and its recipients can be changed. */
const WriteAgain = ({ message }: { message: Message }) => (
  <Button
    size="compact-xs"
    variant="subtle"
    onClick={() => {
      const { workspace_id: projectId, ticket_id: ticketId, content } = message
      const place = { projectId, ticketId, isInternal: false }
      restoreDraft(place, { content, files: [], email: emailValuesOf(message) })
      runAction('reply')
    }}
  >
    {text.messages.writeAgain}
  </Button>
)

const Waiting = ({ message }: { message: Message }) => (
  <Group className={classes.fate} gap={4} justify="flex-end">
    {message.send_at && text.messages.scheduled(moment(message.send_at))}
    <Button size="compact-xs" variant="subtle" onClick={() => cancelSending(message)}>
      {text.messages.takeBack}
    </Button>
    <Button size="compact-xs" variant="subtle" onClick={() => sendNow(message)}>
      {text.messages.sendNow}
    </Button>
  </Group>
)
