import { Select, type SelectProps, Text } from '@mantine/core'
import type { Language } from './language-names.ts'

const maxShown = 80

interface Props extends Omit<SelectProps, 'data'> {
  languages: Language[]
}

/** Languages by their own names. They are also found by their names in the language of the page, and by their tags. */
export function LanguageSelect({ languages, ...props }: Props) {
  const find = (typed: string): Language[] => {
    const words = fold(typed)
    return languages.filter(({ value, label, name }) =>
      [value, label, name].some(one => fold(one).includes(words)),
    )
  }
  const nameOf = (tag: string): string => languages.find(({ value }) => value === tag)?.name ?? ''
  return (
    <Select
      data={languages}
      searchable
      filter={({ search }) => find(search).slice(0, maxShown)}
      renderOption={({ option: { value, label } }) => (
        <div>
          <span lang={value} dir="auto">
            {label}
          </span>
          {nameOf(value) !== label && (
            <Text size="xs" c="dimmed">
              {nameOf(value)}
            </Text>
          )}
        </div>
      )}
      {...props}
    />
  )
}

/** Without accents, so that a search does not need them. */
const fold = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase().trim()
