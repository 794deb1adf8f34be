import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { pageText } from '../core/page-text.ts'
import { EventFields } from './event-fields.tsx'

export interface WebhookValues extends Record<string, unknown> {
  url: string
  description: string
  events: string[]
}

export const validate = {
  url: (value: string) => (value.trim() ? null : pageText.webhooks.urlNeeded),
}

/** The fields to create or edit a webhook. */
export function WebhookFields({ form }: { form: UseFormReturnType<WebhookValues> }) {
  return (
    <>
      <TextInput
        label={pageText.webhooks.url}
        type="url"
        placeholder={pageText.webhooks.urlExample}
        dir="ltr"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput label={pageText.webhooks.description} {...form.getInputProps('description')} />
      <EventFields
        value={form.getValues().events}
        onChange={events => form.setFieldValue('events', events)}
        error={form.errors.events}
      />
    </>
  )
}
