import { Anchor, Select, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { nameLanguage } from '../core/language-names.ts'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { languages } from './languages.ts'

interface Props {
  /** Which placeholders the texts may contain. */
  placeholders: string
  /** The language of the project. */
  first: string
  /** Own texts by language. */
  texts: Record<string, unknown>
  value: string
  onChange(tag: string): void
}

/** Chooses the language whose texts are shown. */
export function TextLanguage({ placeholders, first, texts, value, onChange }: Props) {
  const known = [...new Set([first, ...languages, ...Object.keys(texts)])]
  const { language, languageAbout } = pageText.automaticTexts
  return (
    <>
      <Select
        label={language}
        description={languageAbout}
        data={known.map(tag => ({ value: tag, label: nameLanguage(tag) }))}
        value={value}
        allowDeselect={false}
        searchable
        maw={420}
        onChange={chosen => chosen && onChange(chosen)}
      />
      <Text size="sm" c="dimmed">
        {placeholders}
      </Text>
    </>
  )
}

/** Away messages need office hours, which are set on the page of the website chat. */
export function MissingHours() {
  const { noHours, openHours } = pageText.automaticTexts
  const to = `/p/${useProject().id}/settings/widget`
  return (
    <Text size="sm" role="status">
      {noHours}{' '}
      <Anchor inherit underline="always" renderRoot={props => <Link to={to} {...props} />}>
        {openHours}
      </Anchor>
    </Text>
  )
}
