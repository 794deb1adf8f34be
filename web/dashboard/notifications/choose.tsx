import { Switch } from '@mantine/core'
import { text } from '../core/text.ts'
import { type NotificationSwitch, useChoice, useChoose } from './choice.ts'

/** Turns one of the person's choices on or off. */
export function Choose({ name, description }: { name: NotificationSwitch; description?: string }) {
  const choice = useChoice()
  const choose = useChoose()
  return (
    <Switch
      label={text.notifications.choices[name]}
      description={description}
      checked={choice[name]}
      onChange={event => choose.mutate({ [name]: event.currentTarget.checked })}
    />
  )
}
