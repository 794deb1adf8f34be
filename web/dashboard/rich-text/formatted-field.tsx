import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { type EditorRef, type FieldProps, useEditorRef } from './editor-handle.ts'
import { FormatButtons } from './format-buttons.tsx'
import { MarkdownField } from './markdown-field.tsx'

interface Props
  extends Pick<FieldProps, 'label' | 'placeholder' | 'article' | 'onChange' | 'onPaste' | 'onDrop'> {
  editor?: EditorRef
  isLabelShown?: boolean
  /** Whether a dialog puts the focus here. */
  isFocused?: boolean
  error?: ReactNode
  value?: string
  /** More tools beside those for formatting. */
  tools?: ReactNode
}

/** A field of a form, for Markdown. */
export function FormattedField({
  editor,
  label,
  isLabelShown,
  isFocused,
  error,
  value = '',
  tools,
  ...props
}: Props) {
  const own = useEditorRef()
  const ref = editor ?? own
  const isArticle = props.article !== undefined
  const buttons = (
    <FormatButtons editor={ref} isArticle={isArticle}>
      {tools}
    </FormatButtons>
  )
  return (
    <Input.Wrapper label={isLabelShown && label} labelElement="div" error={error}>
      {isArticle && buttons}
      <MarkdownField
        {...props}
        editor={ref}
        label={label}
        value={value}
        attributes={isArticle ? article : isFocused ? focused : undefined}
      />
      {!isArticle && buttons}
    </Input.Wrapper>
  )
}

const focused = { 'data-autofocus': 'true' }
const article = { 'data-size': 'page' }
