import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { ColorField } from '../core/color-field.tsx'
import { pageText } from '../core/page-text.ts'
import type { ChannelValues } from './channel-values.ts'

interface Props<V extends ChannelValues> {
  form: UseFormReturnType<V>
}

export function TitleField<V extends ChannelValues>({ form }: Props<V>) {
  const { channelTitle, titleAbout } = pageText.customChannels
  return (
    <TextInput
      label={channelTitle}
      description={titleAbout}
      maxLength={64}
      maw={420}
      autoComplete="off"
      {...form.getInputProps('title')}
    />
  )
}

export const ChannelColorField = <V extends ChannelValues>({ form }: Props<V>) => (
  <ColorField label={pageText.customChannels.color} {...form.getInputProps('color')} />
)

export const checkTitle = (title: string): string | null =>
  title.trim() ? null : pageText.customChannels.titleNeeded
