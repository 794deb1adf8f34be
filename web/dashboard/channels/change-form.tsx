import type { UseFormInput, UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { Conflict } from '../core/conflict.tsx'
import { Form, type Sending, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { text } from '../core/text.ts'
import type { Channel } from './channel-state.tsx'
import type { ShownVersion } from './shown-version.ts'

interface Options<V extends Record<string, unknown>, Row extends Channel>
  extends Pick<UseFormInput<V>, 'initialValues' | 'validate'> {
  version: ShownVersion<Row>
  send(values: V): Promise<Row>
  /** For example, empties the fields of passwords. */
  onSaved?(form: UseFormReturnType<V>): void
}

/** A form that changes a mailbox or a bot. */
export const useChangeForm = <V extends Record<string, unknown>, Row extends Channel>({
  version,
  onSaved,
  ...options
}: Options<V, Row>): Sending<V, Row> =>
  useSending<V, Row>({
    ...options,
    onDone: (saved, form) => {
      version.save(saved)
      onSaved?.(form)
      showNotice(text.shell.saved)
    },
  })

interface Props<V extends Record<string, unknown>, Row extends Channel> {
  sending: Sending<V, Row>
  version: ShownVersion<Row>
  labels: Partial<Record<keyof V & string, string>>
  read(current: Row): V
  /** Converts the values to text. */
  describe(values: V): Record<string, unknown>
  /** The label of the button. */
  action?: string
  children: ReactNode
}

/** Offers a choice if someone else has changed the mailbox or the bot since. */
export function ChangeForm<V extends Record<string, unknown>, Row extends Channel>(props: Props<V, Row>) {
  const { sending, version, labels, read, describe, action = text.shell.save, children } = props
  const { form, failure } = sending
  return (
    <Form sending={sending} action={action}>
      <Conflict<Record<string, unknown>>
        failure={failure}
        mine={describe(form.getValues())}
        labels={labels}
        read={(current: Row) => describe(read(current))}
        onKeep={(current: Row) => {
          version.accept(current.version)
          sending.submit()
        }}
        onTake={(_, current: Row) => {
          version.accept(current.version)
          form.setValues(read(current))
          sending.forget()
        }}
      />
      {children}
    </Form>
  )
}
