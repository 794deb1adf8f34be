import { text } from './text.ts'

/** The title of the browser tab, with the number of waiting tickets. */

let page = ''
let waiting = 0

function show(): void {
  const badge = waiting > 0 ? `(${waiting > 99 ? '99+' : waiting}) ` : ''
  document.title = `${badge}${page ? `${page} · ` : ''}${text.shell.product}`
}

export function setPageTitle(title: string): void {
  page = title
  show()
}

export function setWaiting(count: number): void {
  waiting = count
  show()
}
