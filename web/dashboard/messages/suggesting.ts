import { useId, useState } from 'react'
import { type EditorRef, type Word, wordAt } from '../rich-text/editor-handle.ts'
import { type Completion, signsOf, useCompletions } from './completions.ts'
import type { DraftPlace } from './draft.ts'

/** The list of completions beside a text field. The field keeps the focus and passes keys to the list. */
export function useSuggestions(place: DraftPlace, editor: EditorRef) {
  const [typed, setTyped] = useState<Word | null>(null)
  const [at, setAt] = useState(0)
  const id = useId()
  const options = useCompletions(place, typed)
  const look = () => {
    const found = wordAt(editor.current?.textBefore() ?? null, signsOf(place))
    if (found?.word === typed?.word && found?.sign === typed?.sign) return
    setAt(0)
    setTyped(found)
  }
  const close = () => setTyped(null)
  const choose = (option: Completion) => {
    option.choose(editor, (typed?.word.length ?? 0) + 1)
    close()
  }
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (options.length === 0 || event.isComposing || event.ctrlKey || event.metaKey) return false
    const move = { ArrowDown: 1, ArrowUp: options.length - 1 }[event.key]
    if (move) setAt((at + move) % options.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(options[at] ?? options[0]!)
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    return true
  }
  return {
    id,
    options,
    at,
    look,
    close,
    choose,
    onKeyDown,
    attributes: options.length ? attributesOf(id, at) : none,
  }
}

const none = {}

const attributesOf = (id: string, at: number): Record<string, string> => ({
  // A text area cannot be a combobox.
  'aria-haspopup': 'listbox',
  // Escape closes the list, and not a dialog around the field.
  'data-mantine-stop-propagation': 'true',
  'aria-controls': id,
  'aria-autocomplete': 'list',
  'aria-activedescendant': `${id}-${at}`,
})

export type Suggesting = ReturnType<typeof useSuggestions>
