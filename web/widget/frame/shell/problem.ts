import { signal } from '@preact/signals'

/** An error that prevents the whole chat from being shown. */
export const problem = signal<{ words: 'unavailable' | 'notLoaded'; again?: () => void } | null>(null)

/** An error at the start that does not prevent the chat from being shown. */
export const notice = signal<string | null>(null)
