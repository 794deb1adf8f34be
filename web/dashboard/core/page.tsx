import { Box, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { announce } from './announce.tsx'
import classes from './page.module.css'
import { setPageTitle } from './title.ts'

/** Sets the title of the browser tab, and announces the new page to screen readers. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    setPageTitle(title)
    announce(title)
  }, [title])
}

interface PageProps {
  title: string
  about?: ReactNode
  /** At the end of the title row. */
  actions?: ReactNode
  /** With space for two columns. */
  isWide?: boolean
  children: ReactNode
}

/** A settings page: a title, a description, actions and content. */
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
  /** A link with it as the hash leads to this section. */
  id?: string
  /** Omitted on pages with one section. */
  title?: string
  about?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** A section of a page in a frame. */
export function Section({ id, title, about, actions, children }: SectionProps) {
  const place = useRef<HTMLElement>(null)
  const hasHead = title || about || actions
  useEffect(() => {
    if (id && location.hash === `#${id}`) place.current?.focus()
  }, [id])
  return (
    <section ref={place} id={id} tabIndex={id ? -1 : undefined} className={classes.section}>
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
