import { Box, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { announce } from './announce.tsx'
import classes from './page.module.css'
import { setPageTitle } from './title.ts'

/** Names the browser's tab, and tells those who do not see the page that it has changed. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    setPageTitle(title)
    announce(title)
  }, [title])
}

interface PageProps {
  title: string
  about?: ReactNode
  /** At the end of the line of the title. */
  actions?: ReactNode
  /** With room for two columns. */
  isWide?: boolean
  children: ReactNode
}

/** A page of settings: a title, a sentence about it, what can be done, and the content. */
export function Page({ title, about, actions, isWide, children }: PageProps) {
  usePageTitle(title)
  return (
    <div className={classes.page} data-wide={isWide}>
      <Group justify="space-between" align="flex-start" gap="md" mb="lg">
        <Box flex={1} miw={220}>
          <Title order={1}>{title}</Title>
          {about && (
            <Text c="dimmed" mt={2} maw="60ch">
              {about}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      {children}
    </div>
  )
}

interface SectionProps {
  /** Not where the page has one part alone. */
  title?: string
  about?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** A part of a page, in a frame. */
export function Section({ title, about, actions, children }: SectionProps) {
  const hasHead = title || about || actions
  return (
    <section className={classes.section}>
      {hasHead && (
        <Group
          justify="space-between"
          align={children ? 'flex-start' : 'center'}
          gap="md"
          mb={children ? 'md' : 0}
        >
          <Box flex={1} miw={200}>
            {title && <Title order={2}>{title}</Title>}
            {about && (
              <Text c="dimmed" maw="60ch">
                {about}
              </Text>
            )}
          </Box>
          {actions}
        </Group>
      )}
      {children}
    </section>
  )
}
