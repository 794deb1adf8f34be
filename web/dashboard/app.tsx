import {
  DirectionProvider,
  localStorageColorSchemeManager,
  MantineProvider,
  useDirection,
} from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import './core/base.css'
import { useAccent } from './core/accent.ts'
import { Announcer } from './core/announce.tsx'
import { nonce } from './core/nonce.ts'
import { usePreferences } from './core/preferences.ts'
import { queryClient } from './core/query.ts'
import { themeOf, variables } from './core/theme.ts'
import { router } from './routes.tsx'

const schemes = localStorageColorSchemeManager({ key: 'deskbell-scheme' })

/** Mantine reads the direction only once, and the preference may change later. */
function Direction({ dir }: { dir: 'ltr' | 'rtl' }) {
  const chosen = usePreferences().dir
  const { setDirection } = useDirection()
  useEffect(() => setDirection(chosen === 'auto' ? dir : chosen), [chosen, dir, setDirection])
  return null
}

export function App({ dir }: { dir: 'ltr' | 'rtl' }) {
  const accent = useAccent()
  const theme = useMemo(() => themeOf(accent), [accent])
  return (
    <DirectionProvider initialDirection={dir} detectDirection={false}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        colorSchemeManager={schemes}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <Direction dir={dir} />
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
        <Notifications position="bottom-left" />
        <Announcer />
      </MantineProvider>
    </DirectionProvider>
  )
}
