import { signal } from '@preact/signals'

/** What keeps the whole chat from being shown. */
export const problem = signal<{ words: 'unavailable' | 'notLoaded'; again?: () => void } | null>(null)

/** What went wrong at the beginning and keeps nothing from being shown. */
export const notice = signal<string | null>(null)
