import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { checkConnection, reconnect, useConnection } from '../core/connection.ts'
import { text } from '../core/text.ts'
import classes from './banners.module.css'

/**
 * Vite emits an event if a page's file cannot be loaded: it is gone after an update of the server, or the
 * network is lost.
 */
function useUpdate(): boolean {
  const [isUpdated, setUpdated] = useState(false)
  useEffect(() => {
    const note = async () => (await checkConnection()) && setUpdated(true)
    window.addEventListener('vite:preloadError', note)
    return () => window.removeEventListener('vite:preloadError', note)
  }, [])
  return isUpdated
}

/** Banners above every page about a lost connection or an outdated page. */
export function Banners() {
  const isLost = useConnection() === 'lost'
  const isUpdated = useUpdate()
  return (
    <div role="status">
      {isLost && <Banner words={text.shell.lost} actions={[{ label: text.shell.tryNow, run: reconnect }]} />}
      {!isLost && isUpdated && (
        <Banner
          words={text.shell.updated}
          actions={[{ label: text.shell.reload, run: () => location.reload() }]}
        />
      )}
    </div>
  )
}

interface Action {
  label: string
  run(): void
}

export function Banner({ words, actions }: { words: string; actions: Action[] }) {
  return (
    <div className={classes.banner}>
      <span>{words}</span>
      {actions.map(({ label, run }) => (
        <Button key={label} size="compact-sm" variant="white" color="dark" onClick={run}>
          {label}
        </Button>
      ))}
    </div>
  )
}
