import { MagnifyingGlassIcon, XMarkIcon } from '@heroicons/react/20/solid'
import { CloseButton, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../core/actions.ts'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { useInboxPlace } from './inbox.ts'
import classes from './list.module.css'

const OperatorMenu = lazily(() => import('./operator-menu.tsx'))

/** Long enough to type a word. */
const searchDelayMs = 250

/** The typed words, which are written to the URL a little later. */
function useWords(): [string, (words: string) => void] {
  const { search, narrow } = useInboxPlace()
  const [words, setWords] = useState(search.q ?? '')
  const own = useRef(search.q)
  useEffect(() => {
    // The URL follows the typing, which may have continued.
    if (search.q === own.current) return
    own.current = search.q
    setWords(search.q ?? '')
  }, [search.q])
  useEffect(() => {
    if (words.trim() === (search.q ?? '')) return
    const timer = setTimeout(() => {
      own.current = words.trim() || undefined
      narrow({ q: own.current })
    }, searchDelayMs)
    return () => clearTimeout(timer)
  }, [words])
  return [words, setWords]
}

/** The search field of the list, with a menu of search operators. */
export function SearchField() {
  const [words, setWords] = useWords()
  const field = useRef<HTMLInputElement>(null)
  useAction({
    id: 'search list',
    name: text.actions.search,
    group: text.actions.list,
    keys: '/',
    icon: MagnifyingGlassIcon,
    run: () => field.current?.select(),
  })
  const clear = () => {
    setWords('')
    field.current?.focus()
  }
  const add = (operator: string) => {
    setWords(operator)
    field.current?.focus()
  }
  return (
    <TextInput
      ref={field}
      className={classes.query}
      size="sm"
      type="text"
      inputMode="search"
      placeholder={text.inbox.search}
      aria-label={text.inbox.search}
      value={words}
      maxLength={500}
      onChange={event => setWords(event.currentTarget.value)}
      onKeyDown={event => event.key === 'Escape' && (words ? clear() : field.current?.blur())}
      leftSection={<MagnifyingGlassIcon width={16} aria-hidden />}
      rightSection={
        words ? (
          <ClearButton onClear={clear} />
        ) : (
          <LazyContent>
            <OperatorMenu onChoose={add} />
          </LazyContent>
        )
      }
    />
  )
}

const ClearButton = ({ onClear }: { onClear(): void }) => (
  <CloseButton
    size={24}
    icon={<XMarkIcon width={16} />}
    aria-label={text.inbox.clearSearch}
    onClick={onClear}
  />
)
