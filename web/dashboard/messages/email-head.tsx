import { Anchor, Text } from '@mantine/core'
import { text } from '../core/text.ts'
import { openEmailDialog } from './editing.ts'
import classes from './email.module.css'
import type { Email } from './email-queries.ts'
import type { Message } from './queries.ts'

interface Props {
  message: Message
  email: Email
}

/** Sender, recipients, the subject if it differs from the ticket's, and what people should know about the email. */
export function EmailHead({ message, email }: Props) {
  const { from, from_name, to, cc, subject, warnings } = email
  const isUnverified = warnings.some(warning => warning === 'unverified' || warning === 'operator_unverified')
  return (
    <>
      {isUnverified && <p className={classes.warning}>{text.email.unverified}</p>}
      <dl className={classes.head}>
        <Line name={text.email.from} value={from} before={from_name} />
        <Line name={text.email.to} value={to.join(', ')} />
        <Line name={text.email.cc} value={cc.join(', ')} />
        {warnings.includes('subject_changed') && <Line name={text.email.subject} value={subject} />}
      </dl>
      <Notices message={message} email={email} />
    </>
  )
}

interface LineProps {
  name: string
  value: string | null
  /** The name of the person with this address, which may be written in the other direction. */
  before?: string | null
}

const Line = ({ name, value, before }: LineProps) =>
  value ? (
    <div>
      <dt>{name}</dt>
      <dd dir={before ? undefined : 'auto'}>
        {before ? (
          <>
            <bdi>{before}</bdi> <bdi>{`<${value}>`}</bdi>
          </>
        ) : (
          value
        )}
      </dd>
    </div>
  ) : null

/** Whether it is automatic, refers to another ticket, or is not shown completely. */
function Notices({ message, email }: Props) {
  const { notices, classes: kinds, why, source } = text.email
  const isAutomatic = email.class === 'auto_reply' || email.class === 'automated'
  return (
    <>
      {isAutomatic && <Notice>{kinds[email.class as 'auto_reply' | 'automated']}</Notice>}
      {email.related_ticket_id && (
        <Notice>
          {notices.related} <Opener label={why} open={() => openEmailDialog({ kind: 'why', message })} />
        </Notice>
      )}
      {email.truncated.length > 0 && (
        <Notice>
          {notices.truncated}{' '}
          <Opener label={source} open={() => openEmailDialog({ kind: 'source', message })} />
        </Notice>
      )}
    </>
  )
}

const Notice = ({ children }: { children: React.ReactNode }) => (
  <Text size="xs" c="dimmed" mb={4}>
    {children}
  </Text>
)

const Opener = ({ label, open }: { label: string; open(): void }) => (
  <Anchor component="button" type="button" inherit onClick={open}>
    {label}
  </Anchor>
)
