import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty.module.css'
import type { Icon } from './icon.ts'

interface EmptyProps {
  icon?: Icon
  title: string
  about?: ReactNode
  children?: ReactNode
  order?: 1 | 2
}

/** An empty state for a list or a page: the reason, and what to do. */
export function Empty({ icon: Sign, title, about, children, order = 2 }: EmptyProps) {
  return (
    <Stack className={classes.empty} align="center" justify="center" gap="xs">
      {Sign && <Sign className={classes.icon} aria-hidden />}
      <Title order={order} size="h2">
        {title}
      </Title>
      {about && (
        <Text c="dimmed" ta="center" maw="46ch">
          {about}
        </Text>
      )}
      {children}
    </Stack>
  )
}
