import { Button, Checkbox, Fieldset, Group, Input, Menu, Stack, Text, TextInput, Title } from '@mantine/core'
import { pageText } from '../core/page-text.ts'
import type { Fields } from './look-fields.tsx'
import type { PrechatQuestion } from './queries.ts'

interface Props extends Fields {
  locale: string
}

const presets = { name: 'text', email: 'email', phone: 'phone', own: 'text' } as const
type Preset = keyof typeof presets
const isPreset = (key: string): boolean => key !== 'own' && key in presets

function makeQuestion(preset: Preset, locale: string, known: PrechatQuestion[]): PrechatQuestion {
  const keys = known.map(({ key }) => key)
  const own = ['question', ...known.map((_, index) => `question_${index + 2}`)]
  return {
    key: preset === 'own' ? own.find(key => !keys.includes(key))! : preset,
    type: presets[preset],
    labels: preset !== 'own' && locale.startsWith('en') ? { [locale]: pageText.widget.presets[preset] } : {},
    is_required: false,
  }
}

/** The questions before the first message, in the language chosen above. */
export function QuestionFields({ form, locale }: Props) {
  const questions = form.getValues().prechat_fields
  const offered = (Object.keys(presets) as Preset[]).filter(one => !questions.some(({ key }) => key === one))
  return (
    <>
      <Title order={3}>{pageText.widget.questions}</Title>
      {questions.length === 0 && <Text c="dimmed">{pageText.widget.questionsNone}</Text>}
      {questions.map((_, index) => (
        <QuestionField key={index} form={form} locale={locale} index={index} />
      ))}
      {form.errors.prechat_fields && <Input.Error role="alert">{form.errors.prechat_fields}</Input.Error>}
      {questions.length < 10 && (
        <Menu>
          <Menu.Target>
            <Button variant="default" style={{ alignSelf: 'flex-start' }}>
              {pageText.widget.addQuestion}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {offered.map(preset => (
              <Menu.Item
                key={preset}
                onClick={() => form.insertListItem('prechat_fields', makeQuestion(preset, locale, questions))}
              >
                {pageText.widget.presets[preset]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

function QuestionField({ form, locale, index }: Props & { index: number }) {
  const at = `prechat_fields.${index}`
  const { key, type, labels } = form.getValues().prechat_fields[index]!
  return (
    <Fieldset legend={pageText.widget.question(index + 1)}>
      <Stack gap="sm">
        <TextInput
          label={pageText.widget.questionLabel}
          value={labels[locale] ?? ''}
          placeholder={Object.values(labels)[0]}
          maxLength={100}
          dir="auto"
          lang={locale}
          error={form.errors[`${at}.labels`]}
          onChange={event =>
            form.setFieldValue(`${at}.labels`, { ...labels, [locale]: event.currentTarget.value })
          }
        />
        {!isPreset(key) && (
          <>
            <TextInput
              label={pageText.widget.key}
              description={pageText.widget.keyAbout}
              maxLength={64}
              dir="ltr"
              {...form.getInputProps(`${at}.key`)}
            />
            <Checkbox
              label={pageText.widget.isLong}
              checked={type === 'multiline'}
              onChange={event =>
                form.setFieldValue(`${at}.type`, event.currentTarget.checked ? 'multiline' : 'text')
              }
            />
          </>
        )}
        <Group justify="space-between">
          <Checkbox
            label={pageText.widget.isRequired}
            {...form.getInputProps(`${at}.is_required`, { type: 'checkbox' })}
          />
          <Button
            variant="subtle"
            color="red"
            size="xs"
            aria-label={`${pageText.widget.removeQuestion}: ${pageText.widget.question(index + 1)}`}
            onClick={() => form.removeListItem('prechat_fields', index)}
          >
            {pageText.widget.removeQuestion}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}
