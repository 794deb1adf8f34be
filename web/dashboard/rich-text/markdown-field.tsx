import { Text } from '@mantine/core'
import { type ComponentType, useEffect, useId, useMemo, useState } from 'react'
import { persist } from '../core/lazy.tsx'
import { usePreferences } from '../core/preferences.ts'
import { createStore } from '../core/store.ts'
import type { FieldProps } from './editor-handle.ts'
import { PlainText } from './plain-text.tsx'

interface Code {
  RichText: ComponentType<FieldProps & { id: string }>
  findHtml(text: string): string | null
}

const loaded = createStore<Code | null>(null)

export function loadRichText(): void {
  if (!loaded.get()) void persist(() => import('./rich-text.tsx')).then(loaded.set)
}

/** The server does not format longer messages, and refuses longer articles. */
const maxMessageLength = 16 * 1024
const maxArticleLength = 128 * 1024

/** An HTML tag in an article. It stays found until the field is left, so that no field is replaced while somebody types in it. */
function useHtml({ article, value }: FieldProps, code: Code | null) {
  const isChecked = article !== undefined
  const found = useMemo(() => (isChecked && code ? code.findHtml(value) : null), [isChecked, code, value])
  const [kept, keep] = useState<string | null>(null)
  if (found && found !== kept) keep(found)
  return { html: found ?? kept, release: () => keep(found) }
}

/**
 * A field for Markdown: with formatting, or as plain text if the person prefers that, or until the code of
 * the other one is loaded.
 */
export function MarkdownField(props: FieldProps) {
  const id = useId()
  const { plainMarkdown } = usePreferences()
  const code = loaded.use()
  const [isComposing, setComposing] = useState(false)
  const { html, release } = useHtml(props, code)
  useEffect(loadRichText, [])
  const { article, value, onBlur } = props
  const isLong = value.length > (article ? maxArticleLength : maxMessageLength)
  const leave = () => {
    release()
    onBlur?.()
  }
  // An input method that is composing would lose its text with the field.
  if (code && !plainMarkdown && !isComposing && !isLong && html === null)
    return <code.RichText key="rich" id={id} {...props} />
  return (
    <>
      <PlainText key="plain" id={id} {...props} onBlur={leave} onComposing={setComposing} />
      {article && html && !plainMarkdown && (
        <Text size="xs" c="dimmed" mt={4} role="note">
          {article.explainHtml(html)}
        </Text>
      )}
    </>
  )
}
