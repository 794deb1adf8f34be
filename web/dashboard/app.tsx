import {
  DirectionProvider,
  localStorageColorSchemeManager,
  MantineProvider,
  useDirection,
} from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo } from 'react'
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '../../src/core/fonts/inter.css'
import './core/base.css'
import { useAccent } from './core/accent.ts'
import { Announcer } from './core/announce.tsx'
import { lazily, useIdle } from './core/lazy.tsx'
import { nonce } from './core/nonce.ts'
import { useNoticesWanted } from './core/notice.ts'
import { usePreferences } from './core/preferences.ts'
import { queryClient } from './core/query.ts'
import { themeOf, variables } from './core/theme.ts'
import { router } from './router.ts'

const Notices = lazily(() => import('./core/notices.tsx'))

const schemes = localStorageColorSchemeManager({ key: 'deskbell-scheme' })

/** Mantine reads the direction only once, and the preference may change later. */
function Direction({ dir }: { dir: 'ltr' | 'rtl' }) {
  const chosen = usePreferences().dir
  const { setDirection } = useDirection()
  useEffect(() => setDirection(chosen === 'auto' ? dir : chosen), [chosen, dir, setDirection])
  return null
}

function NoticeCorner() {
  const isIdle = useIdle()
  const isWanted = useNoticesWanted()
  return <Suspense>{(isIdle || isWanted) && <Notices />}</Suspense>
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
        <NoticeCorner />
        <Announcer />
      </MantineProvider>
    </DirectionProvider>
  )
}
