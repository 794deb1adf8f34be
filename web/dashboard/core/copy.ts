import { showNotice, showRefusal } from './notice.ts'
import { text } from './text.ts'

/** Copies a text. Pages without TLS cannot use `navigator.clipboard` and fall back to the old way. */
export async function copyText(words: string, done: string): Promise<void> {
  const isCopied = navigator.clipboard
    ? await navigator.clipboard.writeText(words).then(
        () => true,
        () => false,
      )
    : copyBySelection(words)
  if (isCopied) showNotice(done)
  else showRefusal(text.shell.notCopied)
}

function copyBySelection(words: string): boolean {
  const field = document.createElement('textarea')
  field.value = words
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
