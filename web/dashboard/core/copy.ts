import { tell } from './notice.ts'

/** Into the clipboard, which pages without TLS reach only by the old way. */
export async function copyText(words: string, done: string): Promise<void> {
  if (navigator.clipboard) await navigator.clipboard.writeText(words)
  else copyBySelection(words)
  tell(done)
}

function copyBySelection(words: string): void {
  const field = document.createElement('textarea')
  field.value = words
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
