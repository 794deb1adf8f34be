import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Wordmark } from '../core/logo.tsx'
import { usePageTitle } from '../core/page.tsx'
import classes from './frame.module.css'

interface FrameProps {
  title: string
  about?: ReactNode
  children?: ReactNode
}

/** A page without a session, with one task in the middle. */
export function Frame({ title, about, children }: FrameProps) {
  usePageTitle(title)
  return (
    <main className={classes.frame}>
      <Wordmark />
      <div className={classes.card}>
        <Title order={1} size="h1" mb={4}>
          {title}
        </Title>
        {about && (
          <Text c="dimmed" mb="lg">
            {about}
          </Text>
        )}
        {children}
      </div>
    </main>
  )
}
