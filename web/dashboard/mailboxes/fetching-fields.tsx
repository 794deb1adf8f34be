import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { pageText } from '../core/page-text.ts'
import type { MailboxFields } from './mailbox-form.tsx'

/** What is fetched from the server, and what happens to it there. */
export function FetchingFields({ form }: MailboxFields) {
  const { folders, foldersAbout, afterFetch, afterFetchWays, afterFetchDays, afterFetchFolder } =
    pageText.mailboxes
  const { after_fetch } = form.getValues()
  return (
    <>
      <TagsInput label={folders} description={foldersAbout} {...form.getInputProps('folders')} />
      <Select
        label={afterFetch}
        allowDeselect={false}
        maw={420}
        data={Object.entries(afterFetchWays).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('after_fetch')}
      />
      {after_fetch === 'delete' && (
        <NumberInput
          label={afterFetchDays}
          min={0}
          max={3650}
          maw={420}
          {...form.getInputProps('after_fetch_days')}
        />
      )}
      {after_fetch === 'move' && (
        <TextInput label={afterFetchFolder} maw={420} {...form.getInputProps('after_fetch_folder')} />
      )}
    </>
  )
}
