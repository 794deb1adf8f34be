import { Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { pageText } from '../core/page-text.ts'
import type { BotValues } from './bot-values.ts'

interface Props {
  form: UseFormReturnType<BotValues>
}

export function NameField({ form }: Props) {
  const { name, nameAbout } = pageText.telegramBots
  return (
    <TextInput
      label={name}
      description={nameAbout}
      maxLength={255}
      maw={420}
      {...form.getInputProps('name')}
    />
  )
}

export function GroupsField({ form }: Props) {
  const { groups, groupsAbout } = pageText.telegramBots
  return (
    <Switch
      label={groups}
      description={groupsAbout}
      {...form.getInputProps('takes_groups', { type: 'checkbox' })}
    />
  )
}
