import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { pageText } from '../core/page-text.ts'
import type { Mailbox } from './queries.ts'

export interface ReplyValues extends Record<string, unknown> {
  signature: string
  history: Mailbox['history']
  saves_sent: boolean
  sent_folder: string
  send_rate: number
}

interface Props<V extends ReplyValues> {
  form: UseFormReturnType<V>
  isFetched: boolean
}

/** What a reply contains, and where copies of it are stored. */
export function ReplyFields<V extends ReplyValues>({ form, isFetched }: Props<V>) {
  const words = pageText.mailboxSending
  return (
    <>
      <Textarea
        label={words.signature}
        description={words.signatureAbout}
        autosize
        minRows={3}
        maxLength={10_000}
        {...form.getInputProps('signature')}
      />
      <Select
        label={words.history}
        allowDeselect={false}
        maw={420}
        data={Object.entries(words.histories).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('history')}
      />
      {isFetched && (
        <Switch
          label={words.savesSent}
          description={words.savesSentAbout}
          {...form.getInputProps('saves_sent', { type: 'checkbox' })}
        />
      )}
      {isFetched && form.getValues().saves_sent && (
        <TextInput
          label={words.sentFolder}
          description={words.sentFolderAbout}
          maw={420}
          {...form.getInputProps('sent_folder')}
        />
      )}
      <NumberInput
        label={words.rate}
        description={words.rateAbout}
        min={1}
        max={10_000}
        maw={420}
        {...form.getInputProps('send_rate')}
      />
    </>
  )
}
