import { Alert, Button, Group, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Suspense } from 'react'
import { isPlaceholder, placeholderNames } from '../../../src/canned-answers/placeholders.ts'
import { placeholder } from '../../../src/core/text/placeholders.ts'
import { lazily } from '../core/lazy.tsx'
import { pageText } from '../core/page-text.ts'
import { useEditorRef } from '../rich-text/editor-handle.ts'
import { FormattedField } from '../rich-text/formatted-field.tsx'
import type { AnswerValues } from './queries.ts'

const Preview = lazily(() => import('../messages/preview.tsx'))

/** Placeholders in the text that do not exist. */
export const unknownIn = (content: string): string[] => [
  ...new Set(
    [...content.matchAll(placeholder)].map(([, name]) => name!).filter(name => !isPlaceholder(name)),
  ),
]

/** The text, with the available placeholders and a preview. */
export function ContentField({ form }: { form: UseFormReturnType<AnswerValues> }) {
  const editor = useEditorRef()
  const { content } = form.getValues()
  const unknown = unknownIn(content)
  const insert = (name: string) => editor.current?.insert(`{{${name}}}`)
  return (
    <>
      <FormattedField
        editor={editor}
        label={pageText.cannedAnswers.content}
        isLabelShown
        {...form.getInputProps('content')}
      />
      <Placeholders onInsert={insert} />
      {unknown.length > 0 && (
        <Alert p="xs" role="status">
          {pageText.cannedAnswers.unknown(unknown.join(', '))}
        </Alert>
      )}
      <Suspense>
        <Preview content={content} />
      </Suspense>
    </>
  )
}

const Placeholders = ({ onInsert }: { onInsert(name: string): void }) => (
  <div>
    <Text size="sm" fw={500} mb={4}>
      {pageText.cannedAnswers.placeholders}
    </Text>
    <Group gap={4} dir="ltr">
      {placeholderNames.map(name => (
        <Button key={name} size="compact-xs" variant="default" onClick={() => onInsert(name)}>
          {name}
        </Button>
      ))}
    </Group>
  </div>
)
