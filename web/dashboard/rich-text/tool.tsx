import { ActionIcon } from '@mantine/core'
import type { Icon } from '../core/icon.ts'

interface ToolProps extends React.ComponentProps<'button'> {
  icon: Icon
  name: string
}

/** A button of the editor's toolbar, which shows only an icon. */
export const Tool = ({ icon: Sign, name, ...props }: ToolProps) => (
  <ActionIcon aria-label={name} title={name} size="md" {...(props as object)}>
    <Sign width={18} aria-hidden />
  </ActionIcon>
)
