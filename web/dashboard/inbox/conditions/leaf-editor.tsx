import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { pageText } from '../../core/page-text.ts'
import type { Leaf } from './condition.ts'
import { type FieldInfo, isComplete, listOperators, withOperator } from './fields.ts'
import { isListed, ListInput, TypedInput } from './value-input.tsx'

interface Props {
  info: FieldInfo
  leaf: Leaf
  onChange(leaf: Leaf): void
  onClose(): void
}

export function OperatorSelect({ info, leaf, onChange }: Omit<Props, 'onClose'>) {
  return (
    <NativeSelect
      size="sm"
      flex="1 1 8rem"
      aria-label={pageText.conditions.operator}
      data={listOperators(info).map(op => ({ value: op, label: pageText.conditions.operators[op] ?? op }))}
      value={leaf.op}
      onChange={event => onChange(withOperator(info, leaf, event.currentTarget.value))}
    />
  )
}

/** The operator and the value of a comparison, in a popover. */
export function LeafEditor({ info, leaf, onChange, onClose }: Props) {
  const props = { info, leaf, onChange: (value: Leaf['value']) => onChange({ ...leaf, value }) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onClose()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
          <Text fw={550} truncate>
            {info.label}
          </Text>
          {listOperators(info).length > 1 && <OperatorSelect info={info} leaf={leaf} onChange={onChange} />}
        </Group>
        {isListed(info, leaf.op) ? <ListInput {...props} onClose={onClose} /> : <TypedInput {...props} />}
      </Stack>
      <button type="submit" className="hidden" tabIndex={-1} aria-hidden>
        {pageText.conditions.done}
      </button>
    </form>
  )
}

/** Long enough to type a word. */
const delayMs = 250

/** A comparison that is being edited. It is saved a little later, and when the editor closes, if it is complete. */
export function useDraft(first: Leaf, info: FieldInfo | undefined, save: (leaf: Leaf) => void) {
  const [draft, setDraft] = useState(first)
  const saved = useRef(first)
  function flush(): void {
    if (draft === saved.current || !isComplete(info, draft)) return
    saved.current = draft
    save(draft)
  }
  const newest = useRef(flush)
  useEffect(() => {
    newest.current = flush
    const timer = setTimeout(flush, delayMs)
    return () => clearTimeout(timer)
  })
  useEffect(() => () => newest.current(), [])
  return { draft, setDraft }
}
