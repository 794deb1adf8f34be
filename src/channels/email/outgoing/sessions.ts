import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import type { SmtpSession } from './smtp-session.ts'

/** Open connections that are used again for the next email of the same mailbox. */

type Owner = Pick<FetchedMailbox, 'id' | 'version'>

interface Idle {
  session: SmtpSession
  timer: NodeJS.Timeout
}

/** Milliseconds. Servers close idle connections after a few minutes, Postfix while it has many after 10 seconds. */
const usualIdleMs = 8_000

export function createSessions(idleMs = usualIdleMs) {
  const idle = new Map<string, Idle[]>()
  /** A mailbox whose settings have changed opens new connections. */
  const keyOf = ({ id, version }: Owner): string => `${id} ${version}`

  function remove(key: string, one: Idle): void {
    clearTimeout(one.timer)
    const others = (idle.get(key) ?? []).filter(other => other !== one)
    if (others.length) idle.set(key, others)
    else idle.delete(key)
  }

  return {
    /** Null if there is none. */
    take(mailbox: Owner): SmtpSession | null {
      const key = keyOf(mailbox)
      for (const one of idle.get(key) ?? []) {
        remove(key, one)
        if (one.session.isOpen()) return one.session
      }
      return null
    },
    give(mailbox: Owner, session: SmtpSession): void {
      if (!session.isOpen()) return
      const key = keyOf(mailbox)
      const one: Idle = {
        session,
        timer: setTimeout(() => {
          remove(key, one)
          session.close()
        }, idleMs),
      }
      idle.set(key, [...(idle.get(key) ?? []), one])
    },
    close(): void {
      for (const [key, list] of idle)
        for (const one of list) {
          remove(key, one)
          one.session.close()
        }
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
