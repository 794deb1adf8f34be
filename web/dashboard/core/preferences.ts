import { createStore } from './store.ts'

/** Preferences that this browser stores. */
export interface Preferences {
  dir: 'auto' | 'ltr' | 'rtl'
  singleKeys: boolean
  project: string | null
  view: string | null
  /** Whether the contact panel is open beside the conversation. */
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
      // If the browser stores nothing, preferences last as long as the page.
    }
  },
}

export const usePreferences = store.use
