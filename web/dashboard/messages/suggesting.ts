import { useId, useState } from 'react'
import { createStore } from '../core/store.ts'
import { type EditorRef, type Word, wordAt } from '../rich-text/editor-handle.ts'
import { type Completion, signsOf, useCompletions } from './completions.ts'
import type { DraftPlace } from './draft.ts'

interface Look {
  typed: Word | null
  /** The place of the active option in the list. */
  at: number
}

const nothing: Look = { typed: null, at: 0 }

/** The list of completions beside a text field. The field keeps the focus and passes keys to the list. */
export function useSuggestions(place: DraftPlace, editor: EditorRef) {
  // A store, because React renders its changes at once. The editor with formatting reports a letter outside of
  // the event, so state would be rendered later, perhaps after the key that chooses an option.
  const [store] = useState(() => createStore(nothing))
  const { typed, at } = store.use()
  const id = useId()
  const options = useCompletions(place, typed)
  const look = () => {
    // The field with formatting looks before it has replaced the text field, and the word is still the same.
    if (!editor.current) return
    const found = wordAt(editor.current.textBefore(), signsOf(place))
    const known = store.get().typed
    if (found?.word === known?.word && found?.sign === known?.sign) return
    store.set({ typed: found, at: 0 })
  }
  const close = () => store.set(nothing)
  const choose = (option: Completion) => {
    option.choose(editor, (typed?.word.length ?? 0) + 1)
    close()
  }
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (options.length === 0 || event.isComposing || event.ctrlKey || event.metaKey) return false
    const move = { ArrowDown: 1, ArrowUp: options.length - 1 }[event.key]
    if (move) store.set({ typed, at: (at + move) % options.length })
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
