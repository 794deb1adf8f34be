import { Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import classes from './kept-field.module.css'

interface Props {
  label: string
  value: string
  type?: 'text' | 'number' | 'date' | 'tel'
  placeholder?: string
  maxLength?: number
  isLong?: boolean
  /** Whether the other fields around have ordinary labels. */
  isForm?: boolean
  /** Returns false to keep the typed value. */
  onSave(value: string): Promise<boolean>
}

/** A value that is saved on blur or Enter; Escape restores the old value. */
export function InlineField({
  label,
  value,
  type = 'text',
  placeholder,
  maxLength = 2_000,
  isLong,
  isForm,
  onSave,
}: Props) {
  const [typed, setTyped] = useState(value)
  const before = useRef(value)
  const sent = useRef<string>(undefined)
  // A change by somebody else does not replace what is being typed.
  useEffect(() => {
    const old = before.current
    before.current = value
    setTyped(now => (now === old || now.trim() === sent.current ? value : now))
  }, [value])
  function save(): void {
    sent.current = typed.trim()
    if (sent.current !== value) void onSave(sent.current)
  }
  const props = {
    label,
    placeholder: placeholder ?? '—',
    maxLength,
    size: 'sm',
    dir: 'auto',
    value: typed,
    className: isForm ? undefined : classes.field,
    onBlur: save,
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
    onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => {
      if (event.key === 'Escape') setTyped(value)
      if (event.key === 'Enter' && !(isLong && event.shiftKey)) {
        event.preventDefault()
        event.currentTarget.blur()
      }
    },
  } as const
  return isLong ? (
    <Textarea {...props} autosize minRows={2} maxRows={8} />
  ) : (
    <TextInput {...props} type={type} />
  )
}
