import type { Choices, Look, ToPage, Waiting } from '../protocol.ts'

/** What the page keeps for the frame, whose own storage browsers divide or refuse. Nothing before it is opened. */

export interface Kept {
  token?: string | null
  look?: Look
  choices?: Choices
}

export interface Store {
  read(): Kept
  write(change: Kept): void
  listWaiting(): Waiting[]
  /** What the frame wants kept, and what it wants forgotten. */
  hear(message: ToPage): void
  forget(): void
  /** What other tabs change, until the function that it returns is called. */
  watch(on: { token(token: string | null): void; sent(clientId: string): void }): () => void
}

/** Null where the browser keeps nothing: then all of it lasts as long as the page. */
function findStorage(): Storage | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}

function parse<T>(text: string | null | undefined): T | null {
  try {
    return text ? (JSON.parse(text) as T) : null
  } catch {
    return null
  }
}

export function openStore(project: string): Store {
  const storage = findStorage()
  const name = `deskbell:${project}`
  const itemName = `${name}:`
  let kept: Kept = parse(storage?.getItem(name)) ?? {}
  // Full or forbidden: the conversation goes on without it.
  const put = (key: string, value: unknown) => {
    try {
      storage?.setItem(key, JSON.stringify(value))
    } catch {}
  }
  const itemNames = () => Object.keys(storage ?? {}).filter(key => key.startsWith(itemName))
  const write = (change: Kept) => {
    kept = { ...kept, ...change }
    put(name, kept)
  }
  const forget = () => {
    kept = { look: kept.look, choices: kept.choices }
    put(name, kept)
    for (const key of itemNames()) storage!.removeItem(key)
  }
  return {
    read: () => kept,
    write,
    forget,
    listWaiting: () =>
      itemNames()
        .map(key => parse<Waiting>(storage!.getItem(key)))
        .filter(item => item !== null)
        .sort((a, b) => (a.created_at < b.created_at ? -1 : 1)),
    hear(message) {
      if (message.type === 'keep') put(itemName + message.waiting.client_id, message.waiting)
      else if (message.type === 'drop') storage?.removeItem(itemName + message.client_id)
      else if (message.type === 'choices') write({ choices: message.choices })
      else if (message.type === 'token' && message.token) write({ token: message.token })
      else if (message.type === 'token') forget()
    },
    watch(on) {
      const look = ({ storageArea, key, newValue }: StorageEvent) => {
        if (storageArea !== storage || !key) return
        if (key.startsWith(itemName) && newValue === null) on.sent(key.slice(itemName.length))
        if (key !== name) return
        const before = kept.token ?? null
        kept = parse<Kept>(newValue) ?? {}
        if ((kept.token ?? null) !== before) on.token(kept.token ?? null)
      }
      window.addEventListener('storage', look)
      return () => window.removeEventListener('storage', look)
    },
  }
}
