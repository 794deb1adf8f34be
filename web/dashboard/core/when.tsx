import { useEffect, useState } from 'react'
import { ago, moment } from './time.ts'

/** "5 minutes ago", updated over time; the exact time is in the tooltip. */
export function When({ time }: { time: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={time} title={moment(time)}>
      {ago(time, now)}
    </time>
  )
}
