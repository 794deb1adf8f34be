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
      {isLost && <Banner words={text.shell.lost} action={text.shell.tryNow} run={reconnect} />}
      {!isLost && isUpdated && (
        <Banner words={text.shell.updated} action={text.shell.reload} run={() => location.reload()} />
      )}
    </div>
  )
}

function Banner({ words, action, run }: { words: string; action: string; run(): void }) {
  return (
    <div className={classes.banner}>
      <span>{words}</span>
      <Button size="compact-sm" variant="white" color="dark" onClick={run}>
        {action}
      </Button>
    </div>
  )
}
