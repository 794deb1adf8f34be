import type { Boot } from '../protocol.ts'
import type { Options } from './options.ts'
import type { Store } from './store.ts'

interface Now extends Pick<Boot, 'key' | 'identity' | 'is_open'> {
  /** The token of whom the page has signed out before the frame was there. */
  leaving: string | null
}

/** What the frame begins with. */
export function makeBoot(
  { locale, theme = 'auto' }: Options,
  store: Store,
  { key, leaving, identity, is_open }: Now,
): Boot {
  const { token = null, choices = {} } = store.read()
  return {
    ...{ type: 'boot', locale: locale ?? null, theme, choices, key, is_open, token: leaving ?? token },
    // Whoever is named after a goodbye is said by a word of its own, and takes nothing over from who has left.
    identity: leaving ? null : identity,
    waiting: store.listWaiting(),
    drafts: store.readDrafts(),
    page_url: location.href,
  }
}
