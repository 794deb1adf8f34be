import { Tooltip } from '@mantine/core'
import { text } from '../core/text.ts'
import type { Email } from './email-queries.ts'
import classes from './recipients.module.css'

type Recipient = Email['recipients'][number]

/** Words for a code of Deskbell. Everything else is the answer of a mail server. */
export const wordError = (error: string): string =>
  error in text.messages.deliveryErrors
    ? text.messages.deliveryErrors[error as keyof typeof text.messages.deliveryErrors]
    : error

const reasonOf = ({ code, words }: Recipient): string =>
  code && words?.includes(code)
    ? words
    : [code, words]
        .map(one => one && wordError(one))
        .filter(Boolean)
        .join(' ')

/** The delivery status of a sent email for each recipient. */
export const Recipients = ({ recipients }: { recipients: Recipient[] }) =>
  recipients.length > 0 && (
    <ul className={classes.list} aria-label={text.messages.recipients}>
      {recipients.map(recipient => (
        <li key={recipient.address}>
          <Chip recipient={recipient} />
        </li>
      ))}
    </ul>
  )

function Chip({ recipient }: { recipient: Recipient }) {
  const { address, status } = recipient
  const words = `${address}: ${text.messages.recipientStatus[status]}`
  const reason = reasonOf(recipient)
  if (!reason)
    return (
      <span className={classes.chip} data-status={status} dir="auto">
        {words}
      </span>
    )
  return (
    <Tooltip
      label={reason}
      multiline
      maw={400}
      withinPortal={false}
      events={{ hover: true, focus: true, touch: true }}
    >
      <button
        type="button"
        className={classes.chip}
        data-status={status}
        dir="auto"
        aria-label={`${words}. ${reason}`}
      >
        {words}
      </button>
    </Tooltip>
  )
}
