import { createStore } from './store.ts'
import { text } from './text.ts'

/** The title of the browser tab, with the number of waiting tickets. */

export const pageTitle = createStore('')
let waiting = 0

function show(): void {
  const badge = waiting > 0 ? `(${waiting > 99 ? '99+' : waiting}) ` : ''
  const page = pageTitle.get()
  document.title = `${badge}${page ? `${page} · ` : ''}${text.shell.product}`
}

export function setPageTitle(title: string): void {
  pageTitle.set(title)
  show()
}

export function setWaiting(count: number): void {
  waiting = count
  show()
}
