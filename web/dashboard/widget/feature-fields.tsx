import { NumberInput, Switch } from '@mantine/core'
import { pageText } from '../core/page-text.ts'
import type { Fields } from './look-fields.tsx'
import { PartTitle } from './part-title.tsx'

const features = {
  shows_operators: () => pageText.widget.showsOperators,
  shows_knowledge: () => pageText.widget.showsKnowledge,
  asks_rating: () => pageText.widget.asksRating,
  shows_telegram: () => pageText.widget.showsTelegram,
  takes_files: () => pageText.widget.takesFiles,
}

export function FeatureFields({ form }: Fields) {
  return (
    <>
      <PartTitle>{pageText.widget.features}</PartTitle>
      {Object.entries(features).map(([name, label]) => (
        <Switch key={name} label={label()} {...form.getInputProps(name, { type: 'checkbox' })} />
      ))}
      {form.getValues().takes_files && (
        <NumberInput
          label={pageText.widget.maxFile}
          min={1}
          max={200}
          maw={420}
          {...form.getInputProps('max_file_mb')}
        />
      )}
    </>
  )
}
