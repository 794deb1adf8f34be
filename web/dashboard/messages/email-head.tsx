import { text } from '../core/text.ts'
import classes from './email.module.css'
import type { Email } from './email-queries.ts'

/** Sender, recipients, and the subject if it differs from the ticket's. */
export function EmailHead({ email }: { email: Email }) {
  const { from, from_name, to, cc, subject, warnings } = email
  const sender = from_name && from ? `${from_name} <${from}>` : from
  const isUnverified = warnings.some(warning => warning === 'unverified' || warning === 'operator_unverified')
  return (
    <>
      {isUnverified && <p className={classes.warning}>{text.email.unverified}</p>}
      <dl className={classes.head}>
        <Line name={text.email.from} value={sender} />
        <Line name={text.email.to} value={to.join(', ')} />
        <Line name={text.email.cc} value={cc.join(', ')} />
        {warnings.includes('subject_changed') && <Line name={text.email.subject} value={subject} />}
      </dl>
    </>
  )
}

const Line = ({ name, value }: { name: string; value: string | null }) =>
  value ? (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  ) : null
