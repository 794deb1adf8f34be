import { createStore } from '../core/store.ts'

/** The id of the picture that is shown large. */
const shown = createStore<string | null>(null)

export const useOpenPicture = shown.use
export const openPicture = shown.set

let opener: HTMLElement | null = null

/** Also remembers what gets the focus again when the picture is closed. */
export function openPictureFrom(link: HTMLElement, id: string): void {
  opener = link
  openPicture(id)
}

export const focusOpener = (): void => opener?.focus()
