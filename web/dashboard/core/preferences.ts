import { createStore } from './store.ts'

/** What this browser remembers of how somebody likes it. */
export interface Preferences {
  dir: 'auto' | 'ltr' | 'rtl'
  singleKeys: boolean
  /** The project that was open last. */
  project: string | null
  /** The view of the inbox that was open last. */
  view: string | null
  /** Whether the contact stands beside the conversation. */
  panel: boolean
}

const first: Preferences = { dir: 'auto', singleKeys: true, project: null, view: null, panel: true }
const place = 'deskbell'

function read(): Preferences {
  try {
    return { ...first, ...JSON.parse(localStorage.getItem(place) ?? '{}') }
  } catch {
    return first
  }
}

const store = createStore(read())

export const preference = {
  get: <Name extends keyof Preferences>(name: Name): Preferences[Name] => store.get()[name],
  set<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
    store.set({ ...store.get(), [name]: value })
    try {
      localStorage.setItem(place, JSON.stringify(store.get()))
    } catch {
      // A browser that keeps nothing forgets it with the page.
    }
  },
}

export const usePreferences = store.use
