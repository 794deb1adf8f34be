import { Button, Group } from '@mantine/core'
import { text } from '../core/text.ts'
import { moment } from '../core/time.ts'
import classes from './message.module.css'
import type { Message } from './queries.ts'
import { Recipients, wordError } from './recipients.tsx'
import { retrySending, sendNow } from './send.ts'
import { cancelSending } from './undo.tsx'

/** The delivery status, if it is waiting or failed, or whether the message was edited. */
export function DeliveryMark({ message }: { message: Message }) {
  const { status, error } = message.delivery
  if (status === 'scheduled') return <Waiting message={message} />
  return (
    <>
      {message.edited_at && (
        <p className={classes.fate} title={text.messages.editedAt(moment(message.edited_at))}>
          {text.messages.edited}
        </p>
      )}
      {message.email && <Recipients recipients={message.email.recipients} />}
      {(status !== 'sent' || (error !== null && error in text.messages.deliveryErrors)) &&
        (message.sender_type === 'operator' || message.sender_type === 'bot') && (
          <p className={classes.fate} data-status={status}>
            {text.messages.delivery[status]}
            {error !== null && status !== 'pending' && `: ${wordError(error)}`}
            {status === 'failed' && (
              <Button size="compact-xs" variant="subtle" onClick={() => retrySending(message)}>
                {text.messages.retry}
              </Button>
            )}
          </p>
        )}
    </>
  )
}

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
