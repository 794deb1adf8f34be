import type { Appearance, Choices, Drafts, ToPage, Waiting } from '../protocol.ts'

/**
 * Stores data in the page for the frame, whose own storage browsers may partition or deny. Before the
 * chat is opened, only the proactive messages that were shown are stored.
 */

export interface StoredState {
  token?: string | null
  look?: Appearance
  choices?: Choices
  /** When this browser last showed each proactive message, in milliseconds since 1970, by its id. */
  seen?: Record<string, number>
}

export interface Store {
  read(): StoredState
  write(change: StoredState): void
  listWaiting(): Waiting[]
  readDrafts(): Drafts['words']
  /** Handles the frame's messages that store or delete data. */
  hear(message: ToPage): void
  forget(): void
  /** Reports changes by other tabs, until the returned function is called. */
  watch(on: { token(token: string | null): void; sent(clientId: string): void }): () => void
}

/** Null if the browser denies storage: then everything lasts as long as the page. */
function findStorage(name: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[name]
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

/** If the storage is full or denied, the conversation continues without it. */
function put(storage: Storage | null, key: string, value: unknown): void {
  try {
    storage?.setItem(key, JSON.stringify(value))
  } catch {}
}

const inOrder = (items: (Waiting | null)[]): Waiting[] =>
  items.filter(item => item !== null).sort((a, b) => (a.created_at < b.created_at ? -1 : 1))

/** Drafts are stored for this tab only. */
function openDrafts(name: string) {
  const storage = findStorage('sessionStorage')
  return {
    read(token: string | null): Drafts['words'] {
      const kept = parse<Drafts>(storage?.getItem(name))
      return kept?.token === token ? kept.words : {}
    },
    keep: (drafts: Drafts) => put(storage, name, drafts),
    forget: () => storage?.removeItem(name),
  }
}

export function openStore(project: string): Store {
  const storage = findStorage('localStorage')
  const name = `deskbell:${project}`
  const drafts = openDrafts(name)
  const itemName = `${name}:`
  let kept: StoredState = parse(storage?.getItem(name)) ?? {}
  const itemNames = () => Object.keys(storage ?? {}).filter(key => key.startsWith(itemName))
  const write = (change: StoredState) => {
    kept = { ...kept, ...change }
    put(storage, name, kept)
  }
  const forget = () => {
    kept = { look: kept.look, choices: kept.choices, seen: kept.seen }
    put(storage, name, kept)
    for (const key of itemNames()) storage!.removeItem(key)
    drafts.forget()
  }
  return {
    read: () => kept,
    write,
    forget,
    readDrafts: () => drafts.read(kept.token ?? null),
    listWaiting: () => inOrder(itemNames().map(key => parse<Waiting>(storage!.getItem(key)))),
    hear(message) {
      if (message.type === 'keep') put(storage, itemName + message.waiting.client_id, message.waiting)
      else if (message.type === 'drop') storage?.removeItem(itemName + message.client_id)
      else if (message.type === 'drafts') drafts.keep(message.drafts)
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
        kept = parse<StoredState>(newValue) ?? {}
        if ((kept.token ?? null) !== before) on.token(kept.token ?? null)
      }
      window.addEventListener('storage', look)
      return () => window.removeEventListener('storage', look)
    },
  }
}
