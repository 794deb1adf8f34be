import { Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { pageText } from '../core/page-text.ts'
import type { TelegramBot } from './queries.ts'

interface ReceivingValues extends Record<string, unknown> {
  receiving: TelegramBot['receiving']
}

interface Props<V extends ReceivingValues> {
  form: UseFormReturnType<V>
  /** What the installation chooses automatically, if it is known. */
  automatic: TelegramBot['receives_by'] | null
}

/** How messages reach Deskbell, with the reason. */
export function ReceivingField<V extends ReceivingValues>({ form, automatic }: Props<V>) {
  const { receiving, receivingWays, receivingReasons, automaticReasons } = pageText.telegramBots
  const chosen = form.getValues().receiving
  const reason = chosen === 'auto' && automatic ? automaticReasons[automatic] : receivingReasons[chosen]
  return (
    <Select
      label={receiving}
      description={reason}
      allowDeselect={false}
      maw={520}
      data={Object.entries(receivingWays).map(([value, label]) => ({ value, label }))}
      {...form.getInputProps('receiving')}
    />
  )
}
