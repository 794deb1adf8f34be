import { Button, Group } from '@mantine/core'
import { text } from '../core/text.ts'
import { moment } from '../core/time.ts'
import classes from './message.module.css'
import type { Message } from './queries.ts'
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
      {(status === 'failed' || status === 'pending' || status === 'read' || status === 'delivered') &&
        message.sender_type === 'operator' && (
          <p className={classes.fate} data-status={status}>
            {text.messages.delivery[status === 'pending' && message.channel === 'email' ? 'waiting' : status]}
            {status === 'failed' && error && `: ${error}`}
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
