import { Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import { nameLanguage } from '../core/language-names.ts'
import { pageText } from '../core/page-text.ts'
import { languages } from './languages.ts'
import type { Fields } from './look-fields.tsx'
import { PartTitle } from './part-title.tsx'
import type { WidgetTexts } from './queries.ts'

interface Props extends Fields {
  locale: string
  onLocale(locale: string): void
}

const lines = { launcher: 50, title: 100 } as const
const paragraphs = { welcome: 1_000, away: 1_000, prechat: 500 } as const

/** The texts of one language, which is chosen above. */
export function TextFields({ form, locale, onLocale }: Props) {
  const words: WidgetTexts = form.getValues().texts[locale] ?? {}
  const propsOf = (name: keyof WidgetTexts, maxLength: number) => ({
    label: pageText.widget.fields[name],
    value: words[name] ?? '',
    maxLength,
    dir: 'auto' as const,
    lang: locale,
    error: form.errors[`texts.${locale}.${name}`],
    onChange: (event: { currentTarget: { value: string } }) =>
      form.setFieldValue('texts', {
        ...form.getValues().texts,
        [locale]: { ...words, [name]: event.currentTarget.value },
      }),
  })
  return (
    <>
      <PartTitle about={pageText.widget.wordsAbout}>{pageText.widget.words}</PartTitle>
      <Languages form={form} locale={locale} onLocale={onLocale} />
      {Object.entries(lines).map(([name, most]) => (
        <TextInput key={name} {...propsOf(name as keyof WidgetTexts, most)} />
      ))}
      {Object.entries(paragraphs).map(([name, most]) => (
        <Textarea key={name} autosize minRows={2} maxRows={8} {...propsOf(name as keyof WidgetTexts, most)} />
      ))}
    </>
  )
}

function Languages({ form, locale, onLocale }: Props) {
  const { texts } = form.getValues()
  const written = [...new Set([...Object.keys(texts), locale])]
  const remove = () => {
    const { [locale]: _, ...rest } = texts
    form.setFieldValue('texts', rest)
    onLocale(written.find(one => one !== locale)!)
  }
  const option = (value: string) => ({ value, label: nameLanguage(value) })
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label={pageText.widget.language}
        data={written.map(option)}
        value={locale}
        allowDeselect={false}
        onChange={chosen => chosen && onLocale(chosen)}
      />
      <Select
        label={pageText.widget.addLanguage}
        data={languages.filter(one => !written.includes(one)).map(option)}
        value={null}
        searchable
        onChange={chosen => {
          if (!chosen) return
          form.setFieldValue('texts', { ...texts, [locale]: texts[locale] ?? {}, [chosen]: {} })
          onLocale(chosen)
        }}
      />
      {written.length > 1 && (
        <Button variant="subtle" color="red" onClick={remove}>
          {pageText.widget.removeLanguage(nameLanguage(locale))}
        </Button>
      )}
    </Group>
  )
}
