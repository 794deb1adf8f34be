import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** The title of a section of the form. */
export const PartTitle = ({ children, about }: { children: ReactNode; about?: ReactNode }) => (
  <div>
    <Title order={2} mt="lg">
      {children}
    </Title>
    {about && (
      <Text c="dimmed" maw="60ch">
        {about}
      </Text>
    )}
  </div>
)
