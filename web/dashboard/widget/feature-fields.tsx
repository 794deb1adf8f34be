import { NumberInput, Switch } from '@mantine/core'
import { text } from '../core/text.ts'
import type { Fields } from './look-fields.tsx'
import { PartTitle } from './part-title.tsx'

const features = {
  shows_operators: () => text.widget.showsOperators,
  shows_knowledge: () => text.widget.showsKnowledge,
  asks_rating: () => text.widget.asksRating,
  takes_files: () => text.widget.takesFiles,
}

export function FeatureFields({ form }: Fields) {
  return (
    <>
      <PartTitle>{text.widget.features}</PartTitle>
      {Object.entries(features).map(([name, label]) => (
        <Switch key={name} label={label()} {...form.getInputProps(name, { type: 'checkbox' })} />
      ))}
      {form.getValues().takes_files && (
        <NumberInput
          label={text.widget.maxFile}
          min={1}
          max={200}
          maw={420}
          {...form.getInputProps('max_file_mb')}
        />
      )}
    </>
  )
}
