import { Conflict } from '../core/conflict.tsx'
import type { Sending } from '../core/form.tsx'
import type { Mailbox, ShownVersion } from './queries.ts'

interface Props<V extends Record<string, unknown>> {
  sending: Sending<V, Mailbox>
  version: ShownVersion
  labels: Partial<Record<keyof V, string>>
  read(current: Mailbox): V
  describe(values: V): V
}

/** Offers a choice if someone else has changed the mailbox since. */
export function MailboxConflict<V extends Record<string, unknown>>({
  sending,
  version,
  read,
  ...shown
}: Props<V>) {
  const { form, failure } = sending
  return (
    <Conflict
      failure={failure}
      mine={form.getValues()}
      read={read as (current: never) => V}
      onKeep={(current: Mailbox) => {
        version.accept(current.version)
        sending.submit()
      }}
      onTake={(theirs: V, current: Mailbox) => {
        version.accept(current.version)
        form.setValues(theirs)
        sending.forget()
      }}
      {...shown}
    />
  )
}
