import { useEffect } from 'react'
import { createStore } from './store.ts'

/** The current time, which changes every half minute while a component shows it. */
const clock = createStore(Date.now())

const stepMs = 30_000
let users = 0
let timer: number | undefined

function start(): () => void {
  if (users++ === 0) {
    // It has stood still while no component showed it.
    if (Date.now() - clock.get() > stepMs) clock.set(Date.now())
    timer = window.setInterval(() => clock.set(Date.now()), stepMs)
  }
  return () => {
    if (--users === 0) window.clearInterval(timer)
  }
}

export function useNow(): number {
  useEffect(start, [])
  return clock.use()
}
