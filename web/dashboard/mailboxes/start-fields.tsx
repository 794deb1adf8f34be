import { NumberInput, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { pageText } from '../core/page-text.ts'
import type { Mailbox } from './queries.ts'

export interface StartValues extends Record<string, unknown> {
  start_from: Mailbox['start_from']
  start_days: number
}

/** Which email of a new mailbox is fetched. */
export function StartFields<V extends StartValues>({ form }: { form: UseFormReturnType<V> }) {
  const { startFrom, starts, startDays } = pageText.mailboxes
  return (
    <>
      <Select
        label={startFrom}
        allowDeselect={false}
        maw={420}
        data={Object.entries(starts).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('start_from')}
      />
      {form.getValues().start_from === 'days' && (
        <NumberInput label={startDays} min={1} max={3650} maw={420} {...form.getInputProps('start_days')} />
      )}
    </>
  )
}
