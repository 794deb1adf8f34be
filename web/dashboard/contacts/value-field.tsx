import { Textarea, TextInput, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { pageText } from '../core/page-text.ts'
import classes from './value-field.module.css'

interface Props {
  label: string
  value: string
  type?: 'text' | 'number' | 'date' | 'tel'
  placeholder?: string
  maxLength?: number
  isLong?: boolean
  /** Returns false to keep the typed value. */
  onSave(value: string): Promise<boolean>
}

/** A value that becomes a field on click. Enter and leaving the field save, Escape restores the value. */
export function ValueField(props: Props) {
  const [isEditing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasEdited = useRef(false)
  useLayoutEffect(() => {
    if (!isEditing && wasEdited.current) button.current?.focus()
    wasEdited.current = isEditing
  }, [isEditing])
  const { label, value, placeholder } = props
  if (isEditing) return <Editor {...props} onClose={() => setEditing(false)} />
  const shown = value || placeholder || pageText.contactProfile.empty
  return (
    <UnstyledButton
      ref={button}
      className={classes.value}
      aria-label={pageText.contactProfile.edit(label, shown)}
      onClick={() => setEditing(true)}
    >
      <span className={classes.label}>{label} </span>
      <span dir="auto" className={classes.words} data-empty={!value || undefined}>
        {shown}
      </span>
    </UnstyledButton>
  )
}

function Editor({
  label,
  value,
  type,
  placeholder,
  maxLength,
  isLong,
  onSave,
  onClose,
}: Props & { onClose(): void }) {
  const [typed, setTyped] = useState(value)
  const isOver = useRef(false)
  async function save(): Promise<void> {
    if (isOver.current) return
    isOver.current = true
    if (typed.trim() === value || (await onSave(typed.trim()))) return onClose()
    isOver.current = false
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.stopPropagation()
      isOver.current = true
      onClose()
    }
    if (event.key === 'Enter' && !(isLong && event.shiftKey)) {
      event.preventDefault()
      void save()
    }
  }
  const shared = {
    ...{ label, placeholder, onKeyDown, value: typed, size: 'sm', dir: 'auto', autoFocus: true },
    maxLength: maxLength ?? 2_000,
    classNames: { root: classes.editor, label: classes.label },
    onBlur: () => void save(),
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
  }
  return isLong ? (
    <Textarea {...shared} autosize minRows={2} maxRows={12} />
  ) : (
    <TextInput {...shared} type={type} />
  )
}
