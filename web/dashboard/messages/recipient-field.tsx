import { ExclamationTriangleIcon } from '@heroicons/react/16/solid'
import { Pill, TagsInput, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { announce } from '../core/announce.tsx'
import { text } from '../core/text.ts'
import classes from './email-fields.module.css'
import type { KnownAddress } from './recipient-queries.ts'
import { type Addressee, useAddressSuggestions } from './recipient-suggestions.ts'

interface Props {
  projectId: string
  label: string
  value: string[]
  onChange(value: string[]): void
  error: string | undefined
  known: Map<string, KnownAddress>
  /** The participants of the ticket, who are suggested first. */
  people: Addressee[]
  /** Whether it gets the focus when it appears. */
  isFocused?: boolean
}

/** The same pattern as on the server. */
const pattern = /^[^\s@"(),:;<>[\\\]]+@[^\s@.,"(),:;<>[\\\]]+(\.[^\s@.,"(),:;<>[\\\]]+)+$/

/** The address in `Ann Lee <ann@example.com>`. */
function addressIn(words: string): string {
  const typed = words.trim()
  return typed.endsWith('>') ? typed.slice(typed.lastIndexOf('<') + 1, -1).trim() : typed
}

/** The text in the field, and the addresses that are read from it. */
function useTyping(value: string[], onChange: (value: string[]) => void) {
  const [typed, setTyped] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  const [isDismissed, setDismissed] = useState(false)
  return {
    typed,
    refused,
    /** Whether someone has closed the suggestions for this text. */
    isDismissed,
    dismiss: () => setDismissed(true),
    type(words: string): void {
      setTyped(words)
      setRefused(null)
      setDismissed(false)
    },
    change(next: string[]): void {
      const kept = next.filter(one => value.includes(one))
      const added = next.filter(one => !value.includes(one)).map(addressIn)
      const wrong = added.filter(one => !pattern.test(one))
      onChange([...new Set([...kept, ...added.filter(one => pattern.test(one))])])
      if (wrong.length === 0) return
      // Text that is not an address stays in the field to be corrected. Mantine clears the field after this call.
      queueMicrotask(() => {
        setTyped(wrong.join(', '))
        setRefused(wrong[0]!)
      })
    },
  }
}

const classNames = {
  root: classes.row,
  label: classes.label,
  error: classes.error,
  input: classes.frame,
  inputField: classes.input,
}

/** A field of addresses that are typed, pasted or chosen from suggestions, and removed with Backspace. */
export function RecipientField(props: Props) {
  const { projectId, label, value, onChange, error, known, people, isFocused } = props
  const field = useRef<HTMLInputElement>(null)
  const { typed, refused, isDismissed, dismiss, type, change } = useTyping(value, onChange)
  const { suggestions, isSettled } = useAddressSuggestions(projectId, people, typed)
  useEffect(() => {
    if (isFocused) field.current?.focus()
  }, [isFocused])
  return (
    <TagsInput
      ref={field}
      data-autofocus={isFocused || undefined}
      label={label}
      classNames={classNames}
      value={value}
      onChange={change}
      searchValue={typed}
      onSearchChange={type}
      splitChars={[',', ';']}
      error={refused ? text.emailFields.notAddress(refused) : error}
      placeholder={value.length === 0 ? text.emailFields.recipientHere : undefined}
      data={suggestions.map(({ address }) => address)}
      filter={({ options }) => options}
      dropdownOpened={suggestions.length > 0 && !isDismissed}
      onDropdownClose={dismiss}
      // Otherwise the list would not exist yet when its first option is selected.
      comboboxProps={{ keepMounted: true }}
      // Enter adds an address as typed, even if suggestions begin with it.
      selectFirstOptionOnChange={suggestions.length > 0 && isSettled && !pattern.test(typed.trim())}
      onRemove={address => announce(text.emailFields.removed(address))}
      renderOption={({ option }) => (
        <Suggestion person={suggestions.find(one => one.address === option.value)} />
      )}
      renderPill={({ value: address = '', onRemove }) => (
        <Chip known={known.get(address)} address={address} onRemove={onRemove} />
      )}
      autoComplete="off"
      inputMode="email"
      maxLength={2_000}
    />
  )
}

const Suggestion = ({ person }: { person: Addressee | undefined }) => (
  <div>
    <Text size="sm" dir="auto" truncate>
      {person?.name ?? person?.address}
    </Text>
    {person?.name && (
      <Text size="xs" c="dimmed" truncate>
        {person.address}
      </Text>
    )}
  </div>
)

interface ChipProps {
  address: string
  known: KnownAddress | undefined
  onRemove?: (() => void) | undefined
}

const Chip = ({ address, known, onRemove }: ChipProps) => (
  <Pill
    withRemoveButton
    onRemove={onRemove}
    title={known?.name ?? undefined}
    data-warned={known?.is_undeliverable || known?.is_own || undefined}
    className={classes.chip}
  >
    {(known?.is_undeliverable || known?.is_own) && (
      <ExclamationTriangleIcon width={14} className={classes.sign} aria-hidden />
    )}
    <bdi>{address}</bdi>
  </Pill>
)
