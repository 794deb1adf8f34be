import { useImperativeHandle, useRef } from 'react'
import type { FieldProps } from './editor-handle.ts'
import classes from './field.module.css'
import { markOfKey } from './mark-keys.ts'
import { handleOf } from './typing.ts'

interface Props extends FieldProps {
  id: string
  onComposing(isComposing: boolean): void
}

/** The Markdown itself in a text field. */
export function PlainText({ id, editor, value, label, placeholder, onComposing, ...props }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(editor, () => handleOf(() => field.current!))
  const press = (event: KeyboardEvent): boolean => {
    if (props.onKeyDown?.(event)) return true
    const mark = markOfKey(event)
    if (mark) editor.current?.mark(mark)
    return mark !== undefined
  }
  return (
    <textarea
      id={id}
      ref={field}
      className={classes.field}
      dir="auto"
      value={value}
      placeholder={placeholder}
      aria-label={label}
      {...props.attributes}
      onChange={event => {
        props.onChange(event.currentTarget.value)
        props.onLook?.()
      }}
      onSelect={props.onLook}
      onBlur={props.onBlur}
      onCompositionStart={() => onComposing(true)}
      onCompositionEnd={() => onComposing(false)}
      onKeyDown={event => press(event.nativeEvent) && event.preventDefault()}
      onDrop={event => props.onDrop?.(event.dataTransfer) && event.preventDefault()}
      onPaste={event => props.onPaste?.(event.clipboardData) && event.preventDefault()}
    />
  )
}
