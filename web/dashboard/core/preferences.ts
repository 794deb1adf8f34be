import { createStore } from './store.ts'

/** Preferences that this browser stores. */
export interface Preferences {
  dir: 'auto' | 'ltr' | 'rtl'
  singleKeys: boolean
  project: string | null
  view: string | null
  /** Whether the contact panel is open beside the conversation. */
  panel: boolean
  /** How the tickets of each view are shown, if the view itself does not say it. */
  displays: Record<string, KeptDisplay>
  /** The order chosen for each view. */
  sorts: Record<string, string>
  /** The widths of panes that were changed, in pixels; see panes.ts. */
  panes: { views?: number | null; list?: number | null; panel?: number | null }
  /** Whether messages are written as Markdown, without formatting. */
  plainMarkdown: boolean
}

interface KeptDisplay {
  layout?: 'list' | 'table'
  density?: 'comfortable' | 'compact'
  columns?: string[] | null
}

const first: Preferences = {
  dir: 'auto',
  singleKeys: true,
  project: null,
  view: null,
  panel: true,
  displays: {},
  sorts: {},
  panes: {},
  plainMarkdown: false,
}
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
