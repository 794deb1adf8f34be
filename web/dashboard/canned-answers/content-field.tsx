import { Alert, Button, Group, Text, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Suspense, useRef } from 'react'
import { isPlaceholder, placeholderNames } from '../../../src/canned-answers/placeholders.ts'
import { placeholder } from '../../../src/core/text/placeholders.ts'
import { lazily } from '../core/lazy.tsx'
import { pageText } from '../core/page-text.ts'
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
  const field = useRef<HTMLTextAreaElement>(null)
  const { content } = form.getValues()
  const unknown = unknownIn(content)
  const insert = (name: string) => {
    const { selectionStart: start, selectionEnd: end } = field.current!
    field.current!.focus()
    field.current!.setRangeText(`{{${name}}}`, start, end, 'end')
    form.setFieldValue('content', field.current!.value)
  }
  return (
    <>
      <Textarea
        ref={field}
        label={pageText.cannedAnswers.content}
        autosize
        minRows={5}
        maxRows={14}
        dir="auto"
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
