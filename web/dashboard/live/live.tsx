import { useDocumentVisibility } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { firstIdle } from '../core/idle.ts'
import { forgetClicked, useClicked } from '../notifications/clicked.ts'
import { isPushing } from '../notifications/pushing.ts'
import { useWaiting } from '../notifications/waiting.ts'
import { useOpenProject } from '../users/open-project.ts'
import { listen } from './stream.ts'

/** Listens to the open project while the dashboard is open. */
export function Live() {
  const projectId = useOpenProject()?.project.id
  const isListening = useTurn(projectId)
  useEffect(() => (projectId && isListening ? listen(projectId) : undefined), [projectId, isListening])
  useWaiting(projectId)
  usePushes()
  return null
}

/** Opens the tickets of clicked notifications, and keeps this browser registered for them. */
function usePushes(): void {
  const router = useRouter()
  const clicked = useClicked()
  useEffect(() => {
    if (clicked === null) return
    forgetClicked()
    void router.navigate({ to: clicked })
  }, [clicked, router])
  useEffect(() => {
    void firstIdle().then(async () => {
      if (isPushing()) (await import('../notifications/push.ts')).renew()
    })
  }, [])
}

/** After this time, the person is not expected to return soon. */
const reconnectTimeoutMs = 30_000

/**
 * Browsers open only six connections to a server without TLS, for all tabs together. Of the hidden tabs, only
 * one at a time keeps listening; visible tabs always do.
 */
function useTurn(projectId: string | undefined): boolean {
  const isSeen = useDocumentVisibility() === 'visible'
  const [hasTurn, setTurn] = useState(false)
  const [isLeft, setLeft] = useState(false)
  useEffect(() => {
    if (isSeen || !navigator.locks) return
    const end = new AbortController()
    const { signal } = end
    const hold = () => {
      setTurn(true)
      return new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    }
    const timer = setTimeout(() => {
      setLeft(true)
      navigator.locks.request(`deskbell live ${projectId}`, { signal }, hold).catch(() => null)
    }, reconnectTimeoutMs)
    return () => {
      clearTimeout(timer)
      end.abort()
      setLeft(false)
      setTurn(false)
    }
  }, [isSeen, projectId])
  return isSeen || !isLeft || hasTurn
}
